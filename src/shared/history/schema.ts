import { z } from 'zod';

/** Everything that users edit and that is kept as a document with history, by its subject; the title is what people call it. */
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

/** One save of a document: who, when, and what it changed against the one before, in German sentences. */
export const Revision = z
  .object({
    revision: z.number().int(),
    author: z.string(),
    createdAt: z.string(),
    /** Whether `changes` and `removed` tell all; large states are compared only when somebody asks (`revisionChanges`). */
    compared: z.boolean(),
    changes: z.array(z.string()),
    /** Parts that this save took away and that can be brought back alone, e.g. deleted rules. */
    removed: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionChanges = Revision.pick({ changes: true, removed: true }).meta({ id: 'RevisionChanges' });
export type RevisionChanges = z.infer<typeof RevisionChanges>;

/**
 * A revision with its content as it was saved (JSON). Revision 0 with an empty content: never saved. `back`: what would
 * change if it were restored now, in German sentences.
 */
export const RevisionContent = z
  .object({
    revision: z.number().int(),
    author: z.string(),
    /** Saved by whoever asks, perhaps in another window. */
    own: z.boolean(),
    createdAt: z.string().nullable(),
    content: z.unknown(),
    back: z.array(z.string()),
  })
  .meta({ id: 'RevisionContent' });
export type RevisionContent = z.infer<typeof RevisionContent>;

/** A save of any document of the company, for the list of everything that happened. */
export const Activity = Revision.extend({
  subject: z.enum(subjectNames),
  scope: z.string(),
  /** Name of the catalogue or export that it belongs to. */
  owner: z.string(),
}).meta({ id: 'Activity' });
export type Activity = z.infer<typeof Activity>;

/** The list of today with one part of an older one back behind the neighbour it stood behind, as far as that one is still there. */
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
