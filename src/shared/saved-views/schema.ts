import { z } from 'zod';
import { id } from '#shared/http/call-parts.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { wireText } from '#shared/values/schema.ts';

/** Tables that have saved views, and whether each catalogue has its own. */
export const viewTables = {
  items: { perMaster: true },
  'repricer-articles': { perMaster: true },
  'repricer-sellers': { perMaster: true },
  orders: { perMaster: false },
  stock: { perMaster: false },
  transfer: { perMaster: false },
  diagnosis: { perMaster: false },
  assignments: { perMaster: false },
  'security-log': { perMaster: false },
} as const satisfies Record<string, { perMaster: boolean }>;
export const viewTableNames = [
  'items',
  'repricer-articles',
  'repricer-sellers',
  'orders',
  'stock',
  'transfer',
  'diagnosis',
  'assignments',
  'security-log',
] as const;

/** Maximum number of views stored per table and company, including all users' private ones. */
export const MOST_VIEWS = 100;
export const MAX_VIEW_NAME = 80;

/** The table; `masterid` if each catalogue has its own views. */
export const ViewPlace = z.object({ table: z.enum(viewTableNames), masterid: id.optional() });
export type ViewPlace = z.infer<typeof ViewPlace>;

/** A field of the catalogue that a query names by id; an import may give the id to another field, the name stays. */
const NamedField = z.object({ id: z.string().max(20), name: z.string().max(500) });

const content = {
  name: wireText(10_000).pipe(
    z
      .string()
      .trim()
      .min(1, 'Bitte geben Sie der Ansicht einen Namen.')
      .max(MAX_VIEW_NAME, `Der Name einer Ansicht hat höchstens ${integerText(MAX_VIEW_NAME)} Zeichen.`),
  ),
  /** The query of the table's URL, without question mark and page. */
  query: z.string().max(20_000, 'Diese Ansicht ist zu umfangreich, um gespeichert zu werden.'),
  fields: z.array(NamedField).max(2000),
  /** Visible to all users of the company. */
  shared: z.boolean(),
};

export const NewView = ViewPlace.extend({
  ...content,
  fields: content.fields.default([]),
  shared: content.shared.default(false),
});
export type NewView = z.infer<typeof NewView>;

/** Changes the given members only: renames, overwrites or shares. */
export const ViewChange = z.object(content).partial();
export type ViewChange = z.infer<typeof ViewChange>;

export const SavedView = z
  .object({
    id: z.string(),
    ...content,
    name: z.string(),
    revision: z.number().int(),
    /** Whether it belongs to the requesting user, and the name of its owner. */
    own: z.boolean(),
    owner: z.string(),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

/** `standard`: the view with which the table starts for the requesting user; null for none. */
export const SavedViewList = z
  .object({ views: z.array(SavedView), standard: z.string().nullable() })
  .meta({ id: 'SavedViewList' });
export type SavedViewList = z.infer<typeof SavedViewList>;
