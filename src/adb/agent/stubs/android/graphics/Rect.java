package android.graphics;

public class Rect {
    public int left;
    public int top;
    public int right;
    public int bottom;
}
