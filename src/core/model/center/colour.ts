/** The form of a colour: `#rrggbb`. */
export const colourPattern = /^#[0-9a-f]{6}$/i;

/** WCAG 2 contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * The same hue, moved by that share of the way to white. The steps are in OKLCH, where equal steps look
 * equal; a dark blue that is mixed with white would turn grey. A colour that no screen can show loses chroma.
 */
export function lighter(colour: string, share: number): string {
  const { lightness, chroma, hue } = toOklch(colour);
  const wanted = lightness + (1 - lightness) * share;
  for (let part = 0; part <= 20; part += 1) {
    const parts = fromOklch({ lightness: wanted, chroma: chroma * (1 - part / 20), hue });
    if (parts.every((value) => value >= -0.0005 && value <= 1.0005)) return toHex(parts);
  }
  return '#ffffff';
}

type Oklch = ReturnType<typeof toOklch>;

/** https://www.w3.org/TR/css-color-4/#color-conversion-code */
export function toOklch(colour: string) {
  const [red = 0, green = 0, blue = 0] = linearChannels(colour);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  // The hue in radians.
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

function fromOklch({ lightness, chroma, hue }: Oklch): readonly number[] {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

function toHex(parts: readonly number[]): string {
  const bytes = parts.map((value) => Math.round(Math.min(1, Math.max(0, value)) * 255));
  return `#${bytes.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = linearChannels(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearChannels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}
