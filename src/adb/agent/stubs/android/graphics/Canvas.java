package android.graphics;

public class Canvas {
    public Canvas(Bitmap bitmap) { }
}
