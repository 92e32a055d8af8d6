// How much of a pixel a line covers that is `width` pixels wide and `away` pixels from the pixel's middle.
float cover(float away, float width) {
    return clamp(0.5 * width + 0.5 - away, 0.0, 1.0) * min(width, 1.0);
}
