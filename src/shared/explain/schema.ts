import { z } from 'zod';
import { exportTableNames } from '#shared/assignments/schema.ts';
import { valueTypeNames } from '#shared/construction/schema.ts';
import { requirementNames } from '#shared/channels/requirement.ts';
import { severityNames } from '#shared/channels/schema.ts';

/** Texts of one item; null is a missing value. */
const value = z.string().nullable();
const integer = z.number().int();
/** A field's, rule's or part's share in what was asked: true everywhere if no field was asked. */
const concerns = z.boolean();

export const ruleScopes = ['master', 'export'] as const;

/** A rule by its place: `number` counts from 1 in its list, paused ones included, as the rule screen does. */
export const RulePlace = z
  .object({ scope: z.enum(ruleScopes), ruleId: z.string(), number: integer, name: z.string() })
  .meta({ id: 'RulePlace' });
export type RulePlace = z.infer<typeof RulePlace>;

/** A condition as the item met it. */
export const ExplainedCondition = z.object({
  sentence: z.string(),
  /** Whose value was looked at; '@ALL@' for any field. */
  field: z.string(),
  /** That value where the rule began. */
  value,
  /** The other side where the rule does not spell it: another field's value, the last number that is still among the n. */
  compared: value,
  /** null: the item did not come so far, or the rule is paused. */
  held: z.boolean().nullable(),
});
export type ExplainedCondition = z.infer<typeof ExplainedCondition>;

/** What a rule did to one field, by all its actions on that field. */
export const ExplainedChange = z.object({
  field: z.string(),
  before: value,
  after: value,
  /** The actions on the field, in order, in German. */
  sentences: z.array(z.string()),
  /** A calculation could not be done (no number, division by 0, too large) and left the value; others on the field may have changed it. */
  notCalculated: z.boolean(),
  concerns,
});
export type ExplainedChange = z.infer<typeof ExplainedChange>;

export const ruleStates = {
  held: 'trifft zu',
  not_held: 'trifft nicht zu',
  not_reached: 'nicht erreicht',
  paused: 'pausiert',
} as const;
export type RuleState = keyof typeof ruleStates;

export const ExplainedRule = RulePlace.extend({
  /** The whole rule in German. */
  sentence: z.string(),
  state: z.enum(['held', 'not_held', 'not_reached', 'paused']),
  conditions: z.array(ExplainedCondition),
  /** Index of the first condition that did not hold. */
  failed: integer.nullable(),
  excluded: z.boolean(),
  changes: z.array(ExplainedChange),
  concerns,
}).meta({ id: 'ExplainedRule' });
export type ExplainedRule = z.infer<typeof ExplainedRule>;

/** A mapping, or a table of the export, with the row that decided. */
export const ExplainedTable = z
  .object({
    kind: z.enum(['mapping', ...exportTableNames]),
    name: z.string(),
    /** The first row that held, from 1; null: none did. */
    row: integer.nullable(),
    rows: integer,
    /** Of that row, with the values it looked at. */
    conditions: z.array(z.object({ sentence: z.string(), value })),
    results: z.array(z.object({ name: z.string(), value })),
    concerns,
  })
  .meta({ id: 'ExplainedTable' });
export type ExplainedTable = z.infer<typeof ExplainedTable>;

/** A field of the export with what it is made of. `written` is the value as the file spells it (decimal mark). */
export const ExplainedRow = z
  .object({
    rowId: z.string(),
    name: z.string(),
    kind: z.enum(valueTypeNames),
    /** `field` null: a fixed text. */
    parts: z.array(z.object({ field: z.string().nullable(), value })),
    value,
    written: value,
    requirement: z.enum(requirementNames),
    /** A required field without a value. */
    missing: z.boolean(),
    concerns,
  })
  .meta({ id: 'ExplainedRow' });
export type ExplainedRow = z.infer<typeof ExplainedRow>;

/** The way of an item, in order. Stages of an export follow only if one was asked. */
export const ExplainedStage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), values: z.array(z.object({ field: z.string(), value, concerns })) }),
  z.object({ kind: z.literal('masterRules'), revision: integer, rules: z.array(ExplainedRule) }),
  /** Mappings whose results are read; without an export all that run. */
  z.object({ kind: z.literal('mappings'), revision: integer, tables: z.array(ExplainedTable) }),
  /** What Kontor offers of the item on the export's channel, where that is read. */
  z.object({ kind: z.literal('stock'), name: z.string(), value, concerns }),
  z.object({ kind: z.literal('exportRules'), revision: integer, rules: z.array(ExplainedRule) }),
  /** Categories, brands and colours, as far as the construction reads them. */
  z.object({ kind: z.literal('tables'), tables: z.array(ExplainedTable) }),
  /** `reached` false: a rule excluded the item. */
  z.object({
    kind: z.literal('construction'),
    revision: integer,
    reached: z.boolean(),
    /** Nothing is constructed: every field goes out under its own name. */
    passThrough: z.boolean(),
    rows: z.array(ExplainedRow),
  }),
]);
export type ExplainedStage = z.infer<typeof ExplainedStage>;

const rawValues = z.array(z.object({ field: z.string(), value, used: z.boolean() }));

/** A field from its raw value to its last: of the export if one was asked, else of the catalogue. */
export const ExplainedField = z.object({
  name: z.string(),
  /**
   * Source fields and their raw values; empty for a fixed text or a field that only rules write. `used` false: a rule wrote
   * over it, so nothing of it is in the value.
   */
  raw: rawValues,
  value,
  /** Rules that changed it or what it is made of. */
  changedBy: z.array(RulePlace),
});
export type ExplainedField = z.infer<typeof ExplainedField>;

export const causeKinds = [
  'import',
  'masterRules',
  'mappings',
  'stock',
  'exportRules',
  'tables',
  'construction',
  'attributes',
  'settings',
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** Something that changed between a file and now, in German, with who and when where that is known. */
export const Cause = z.object({ kind: z.enum(causeKinds), sentence: z.string() });
export type Cause = z.infer<typeof Cause>;

/** The item in a finished file: the last accepted one, or that of the asked run. */
export const ExplainedFile = z.object({
  number: integer,
  runid: z.string(),
  createdAt: z.string(),
  present: z.boolean(),
  /** Fields in which file and explanation differ. `causes`: what, changed alone, makes the difference; [] if nothing does alone. */
  differences: z.array(z.object({ name: z.string(), file: value, now: value, causes: z.array(z.enum(causeKinds)) })),
  /** Everything that changed since that file. */
  causes: z.array(Cause),
});
export type ExplainedFile = z.infer<typeof ExplainedFile>;

const snapshot = z.object({ number: integer, importedAt: z.string() });

/** Where the values of one item come from, and why it is or is not in an export. Nothing of it is stored (docs/explain.md). */
export const Explanation = z
  .object({
    item: z.object({ id: z.string(), title: z.string().nullable() }),
    snapshot: snapshot.extend({ live: z.boolean() }),
    /** false: the snapshot does not hold the item; there are no stages then. */
    present: z.boolean(),
    /** Where an item that is not present was seen last. */
    lastSeen: snapshot.nullable(),
    export: z.object({ id: z.string(), name: z.string() }).nullable(),
    run: z.object({ runid: z.string(), finishedAt: z.string() }).nullable(),
    /** The asked field; 'unknown' if neither export nor catalogue nor rules have it. */
    field: z
      .object({ name: z.string(), kind: z.enum(['export', 'catalogue', 'unknown']), value, raw: rawValues })
      .nullable(),
    /** Whether the item goes out; without an export: whether the master's rules let it pass. */
    inExport: z.boolean(),
    excludedBy: RulePlace.nullable(),
    /** `inExport` with its reason in German: no rule excludes it, which one does, or for which errors the export leaves it out. */
    reason: z.string(),
    /** The way of the asked field's value in one German sentence. */
    answer: z.string().nullable(),
    /** How the item stands in the export's file, and why otherwise than here; null without an export. */
    fileNote: z.string().nullable(),
    stages: z.array(ExplainedStage),
    fields: z.array(ExplainedField),
    file: ExplainedFile.nullable(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/** One export of the master, as far as one item is concerned. `inFile` null: there is no file yet. */
export const ItemInExport = z.object({
  id: z.string(),
  name: z.string(),
  inExport: z.boolean(),
  inFile: z.boolean().nullable(),
  reason: z.string(),
});
export type ItemInExport = z.infer<typeof ItemInExport>;

/** How a value that goes out stands to what was imported: `fixed` has no source, `combined` several, `changed` differs from its one. */
export const valueOrigins = ['unchanged', 'changed', 'fixed', 'combined', 'none'] as const;

/** A field of an export as the file spells it, with what is wrong with it. */
export const ItemExportValue = z.object({
  name: z.string(),
  written: value,
  origin: z.enum(valueOrigins),
  /** The imported value, where `written` was changed. */
  imported: value,
  /** Errors and warnings; a field that the channel demands and nobody constructs is here with its error. */
  problems: z.array(z.object({ severity: z.enum(severityNames), sentence: z.string() })),
});
export type ItemExportValue = z.infer<typeof ItemExportValue>;

/** What one export makes of an item now; `values` is empty where a rule excludes it. */
export const ItemExportValues = z
  .object({
    id: z.string(),
    name: z.string(),
    inExport: z.boolean(),
    reason: z.string(),
    values: z.array(ItemExportValue),
  })
  .meta({ id: 'ItemExportValues' });
export type ItemExportValues = z.infer<typeof ItemExportValues>;
