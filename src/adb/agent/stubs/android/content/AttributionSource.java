package android.content;

public class AttributionSource {
    public static final class Builder {
        public Builder(int uid) { }
        public Builder setPackageName(String packageName) { return this; }
        public AttributionSource build() { return null; }
    }
}
