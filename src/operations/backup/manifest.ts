import { z } from 'zod';
import { integerText } from '#shared/values/integer-text.ts';

/** A file that the rows of the moment name and the backup does not hold: deleted for good while it was written, or lost before. */
export const MissingFile = z.object({ path: z.string(), why: z.enum(['deleted', 'lost']) });
export type MissingFile = z.infer<typeof MissingFile>;

/** What a backup holds, with a hash of everything; the last entry but one of the archive. */
export const Manifest = z.object({
  /** Those of format 1 had a hash over the rows in their order, which says nothing of other orders. */
  format: z.literal(2),
  program: z.string(),
  madeAt: z.iso.datetime(),
  /** Tells whether an installation's secret is the one that the backup's passwords and personal data are sealed with. */
  keyMark: z.string(),
  migrations: z.array(z.object({ number: z.number().int(), name: z.string(), checksum: z.string() })),
  /** In an order in which no row refers to one that is not there yet. */
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int(),
      /** The sum of the hashes of the rows as PostgreSQL writes them, whatever order they lie in. */
      rowsSha256: z.string(),
      /** Over the entry of the archive. */
      sha256: z.string(),
    }),
  ),
  /** `object`: its key in the bucket that it lay in. */
  files: z.array(
    z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string(), object: z.string().optional() }),
  ),
  missing: z.array(MissingFile).default([]),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';
export const tableEntry = (name: string): string => `database/${name}.jsonl.gz`;
export const fileEntry = (path: string): string => `files/${path}`;

/** What is not inside although the rows name it, for whoever runs a command; '' where there is nothing. */
export function missingText(missing: readonly MissingFile[]): string {
  const line = (title: string, which: MissingFile['why'], because: string) => {
    const paths = missing.filter(({ why }) => why === which).map(({ path }) => path);
    if (paths.length === 0) return '';
    const rest = paths.length > SAID ? ` und ${integerText(paths.length - SAID)} weitere` : '';
    return `${title} ${integerText(paths.length)} ${paths.length === 1 ? 'Datei' : 'Dateien'}, ${because}: ${paths.slice(0, SAID).join(', ')}${rest}\n`;
  };
  return (
    line('Nicht dabei:', 'deleted', 'während der Sicherung endgültig gelöscht') +
    line('Verloren:  ', 'lost', 'schon vor der Sicherung im Dateispeicher')
  );
}
const SAID = 5;
