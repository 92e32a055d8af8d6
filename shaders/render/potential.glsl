// Colors and isolines of potentials: how a field that shrinks by a factor with every step is shown, light at the goal.
//
// What is shown is the height, the potential's negative logarithm. From one isoline to the next the potential halves. Where lines
// would come too close every second one is left out, then three of four, and so on; they fade before they go. Where they are far
// apart there are up to three more between two.
//
// Needs: include/numbers.glsl, render/palette.glsl, render/cover.glsl.

uniform float pixelRatio;
uniform bool isolines;

const float LN2 = 0.693147180559945;
const float HALFWAY = 7.0;     // height in the middle of the colors: a thousandth
const float LINE_GAP = 15.0;   // nominal pixels between isolines, at least
const float LINE_WIDTH = 0.9;  // nominal pixels
const float FINEST = -2.0;     // a quarter of a halving

// Where in the colors a height is, 0 to 1.
float shadeOf(float height) {
    return height / (height + HALFWAY);
}

// How much of a pixel an isoline covers, where the height grows by so much from pixel to pixel.
float isolineOf(float height, float growth) {
    float density = max(growth / LN2, 1e-9); // halvings a pixel
    float octave = max(log2(LINE_GAP * pixelRatio * density), FINEST);
    float gap = exp2(floor(octave)); // halvings between two lines
    float level = height / (LN2 * gap);
    float nearest = floor(level + 0.5);
    float away = abs(level - nearest) * gap / density;
    float strength = mod(nearest, 2.0) == 0.0 ? 1.0 : 1.0 - fract(octave);
    return nearest > 0.0 ? cover(away, LINE_WIDTH * pixelRatio) * strength : 0.0;
}

// The color of a height, with its isolines.
vec3 potentialColor(float height, float growth) {
    float shade = shadeOf(height);
    float line = isolines ? isolineOf(height, growth) : 0.0;
    return mix(ramp(shade), shade < 0.5 ? POTENTIAL_LINE : ISOLINE, 0.55 * line);
}
