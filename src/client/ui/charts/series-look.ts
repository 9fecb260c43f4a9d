/*
 * How lines are told apart. The hue advances by 80 degrees from line to line (ORD-02); lightness and chroma are held so that each
 * has a contrast of at least 3:1 to its background. After nine lines the hues repeat, told apart by dashes.
 */
const light = ['#B74771', '#A16700', '#008E55', '#007DC2', '#9A53AA', '#BA4E25', '#6A8000', '#008C97', '#6566C9'];
const dark = ['#F48CAE', '#DCA744', '#5ACA94', '#59BBFB', '#D695E4', '#F69370', '#A7BD58', '#00C9D1', '#A1A7FF'];
const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [12, 3, 2, 3], [5, 2], [1, 5]];

export type SeriesLook = { color: string; dash: readonly number[]; width: number };

/** Returns the look of the line at this position, from 0. */
export function seriesLook(position: number, isDark: boolean): SeriesLook {
  const colors = isDark ? dark : light;
  return {
    color: colors[position % colors.length] ?? '',
    dash: dashes[Math.floor(position / colors.length) % dashes.length] ?? [],
    width: 2,
  };
}

/** Look of the sum of all lines: black, or nearly white on a dark background. */
export const totalLook = (isDark: boolean): SeriesLook => ({
  color: isDark ? '#ECEDF0' : '#000000',
  dash: [],
  width: 3,
});

/** Look of our own line among those of others. */
export const ownLook = (isDark: boolean): SeriesLook => ({ ...totalLook(isDark), width: 4 });
