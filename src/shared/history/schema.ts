import { z } from 'zod';

/** Everything users edit that is stored as a document with history, by subject, with its German title. */
export const documentSubjects = {
  rules: { title: 'Regeln' },
  construction: { title: 'Feldaufbau' },
  attributes: { title: 'Attribute' },
  settings: { title: 'Export-Einstellungen' },
  difference: { title: 'Aktion bei Differenz' },
  releases: { title: 'Freigaben' },
  schedule: { title: 'Zeitplan' },
  stock_schedule: { title: 'Zeitplan für Bestand und Preis' },
  upload: { title: 'Übertragung' },
  columns: { title: 'Spalten der Artikelliste' },
  mappings: { title: 'Mappings' },
  categories: { title: 'Kategorien' },
  brands: { title: 'Marken' },
  colors: { title: 'Farben' },
  category_targets: { title: 'Kategorien des Kanals' },
  brand_targets: { title: 'Marken des Kanals' },
  color_targets: { title: 'Farben des Kanals' },
  repricer: { title: 'Repricing-Regeln' },
  price_safety: { title: 'Sicherungen der Preise' },
  stock: { title: 'Bestand' },
} as const;
export type DocumentSubject = keyof typeof documentSubjects;
export const subjectNames = [
  'rules',
  'construction',
  'attributes',
  'settings',
  'difference',
  'releases',
  'schedule',
  'stock_schedule',
  'upload',
  'columns',
  'mappings',
  'categories',
  'brands',
  'colors',
  'category_targets',
  'brand_targets',
  'color_targets',
  'repricer',
  'price_safety',
  'stock',
] as const satisfies readonly DocumentSubject[];

/** Lists whose entries can be brought back alone. */
export const subjectsWithParts = [
  'rules',
  'construction',
  'mappings',
  'repricer',
] as const satisfies readonly DocumentSubject[];
export type SubjectWithParts = (typeof subjectsWithParts)[number];

/** One save of a document: author, time, and its changes as German sentences. */
export const Revision = z
  .object({
    revision: z.number().int(),
    author: z.string(),
    createdAt: z.string(),
    /** Whether `changes` and `removed` are complete; large states are compared only on request (`revisionChanges`). */
    compared: z.boolean(),
    changes: z.array(z.string()),
    /** Parts that this save removed and that can be restored alone, e.g. deleted rules. */
    removed: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionChanges = Revision.pick({ changes: true, removed: true }).meta({ id: 'RevisionChanges' });
export type RevisionChanges = z.infer<typeof RevisionChanges>;

/**
 * A revision with its saved content (JSON). Revision 0 with an empty content: never saved. `back`: what restoring it now would
 * change, in German sentences, compared with the revision `newest`. `same`: nothing at all. Without a sentence the content may
 * still differ, in something that no sentence tells.
 */
export const RevisionContent = z
  .object({
    revision: z.number().int(),
    author: z.string(),
    /** Saved by the requesting user, perhaps in another window. */
    own: z.boolean(),
    createdAt: z.string().nullable(),
    content: z.unknown(),
    back: z.array(z.string()),
    same: z.boolean(),
    newest: z.number().int(),
  })
  .meta({ id: 'RevisionContent' });
export type RevisionContent = z.infer<typeof RevisionContent>;

/** A save of any document of the company, for the list of all activity. */
export const Activity = Revision.extend({
  subject: z.enum(subjectNames),
  scope: z.string(),
  /** Name of the catalogue or export it belongs to. */
  owner: z.string(),
}).meta({ id: 'Activity' });
export type Activity = z.infer<typeof Activity>;

/**
 * Returns the current list with one part of an older list restored after its former neighbour, if that still exists; undefined if
 * the older list lacks the part.
 */
export function withPartBack<T extends { id: string }>(
  older: readonly T[],
  current: readonly T[],
  part: string,
): T[] | undefined {
  const index = older.findIndex(({ id }) => id === part);
  const found = older[index];
  if (found === undefined) return undefined;
  const rest = current.filter(({ id }) => id !== part);
  const above = older.slice(0, index).findLast(({ id }) => rest.some((one) => one.id === id));
  const insertAt = above === undefined ? 0 : rest.findIndex(({ id }) => id === above.id) + 1;
  return rest.toSpliced(insertAt, 0, found);
}
