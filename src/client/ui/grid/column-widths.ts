/** Column widths in pixels that the user chose, by column id; a missing column has its default width. */
export type ColumnWidths = Readonly<Record<string, number>>;

export const NARROWEST = 80;
export const WIDEST = 900;

export const clampWidth = (pixels: number): number => Math.round(Math.min(WIDEST, Math.max(NARROWEST, pixels)));

/** Parses stored widths, „wert:240,ziel:300“; unreadable parts are ignored. */
export function readWidths(text: string): ColumnWidths {
  const entries = text.split(',').flatMap((part) => {
    const [id = '', pixels = ''] = part.split(':');
    const width = Number(pixels);
    return /^[a-z]+$/.test(id) && pixels !== '' && Number.isFinite(width) ? [[id, clampWidth(width)] as const] : [];
  });
  return Object.fromEntries(entries);
}

export const writeWidths = (widths: ColumnWidths): string =>
  Object.entries(widths)
    .map(([id, width]) => `${id}:${width}`)
    .join(',');

/** Returns the widths with one of them changed; null restores the default. */
export function withWidth(widths: ColumnWidths, id: string, width: number | null): ColumnWidths {
  const { [id]: _, ...others } = widths;
  return width === null ? others : { ...others, [id]: clampWidth(width) };
}
