package org.taproof.agent;

/** A rectangle on the screen, in pixels. */
final class Area {
    final int left;
    final int top;
    final int right;
    final int bottom;

    Area(int left, int top, int right, int bottom) {
        this.left = left;
        this.top = top;
        this.right = right;
        this.bottom = bottom;
    }

    boolean isEmpty() {
        return left >= right || top >= bottom;
    }

    boolean contains(int x, int y) {
        return x >= left && x < right && y >= top && y < bottom;
    }

    /** The part that both share, or null if there is none. */
    Area intersection(Area other) {
        if (left >= other.right || other.left >= right || top >= other.bottom || other.top >= bottom) {
            return null;
        }
        return new Area(Math.max(left, other.left), Math.max(top, other.top), Math.min(right, other.right),
                Math.min(bottom, other.bottom));
    }

    /** The bounding box of both. */
    Area with(Area other) {
        return new Area(Math.min(left, other.left), Math.min(top, other.top), Math.max(right, other.right),
                Math.max(bottom, other.bottom));
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Area)) {
            return false;
        }
        Area area = (Area) other;
        return left == area.left && top == area.top && right == area.right && bottom == area.bottom;
    }

    @Override
    public int hashCode() {
        return ((left * 31 + top) * 31 + right) * 31 + bottom;
    }

    @Override
    public String toString() {
        return "[" + left + "," + top + "][" + right + "," + bottom + "]";
    }
}
