import type { Live } from '#engine/duckdb/rule-batches.ts';
import { hidden, sourceKey } from '#engine/ir/source-key.ts';
import { keysBefore, neededMappings, neededTables } from '#feed/stages/assignments/demand.ts';
import { rowKeys } from '#feed/stages/assignments/rows.ts';
import { fieldReads } from '#feed/stages/construction/fields.ts';
import { fieldsBefore, namedInRules } from '#feed/stages/rules/demand.ts';
import type { ExportTable, Mapping } from '#shared/assignments/schema.ts';
import { fieldsOf, passesThrough, type ExportPlan, type FieldPlan, type MasterPlan } from './export-plan.ts';

/** The internal field 'Laufende Nummer': messages to a channel must be numbered from 1. */
export const INDEX = sourceKey('_intern', 'index');

/** The running number, computed over all items before they are processed in parts. */
export const KNOWN_INDEX = hidden('intern:\0index');

/** The internal field 'Bestand für diesen Kanal': the stock that Kontor offers of an item there. */
export const OFFERED = sourceKey('_intern', 'stock_offered');

/**
 * What is read of the items at the end of the pipeline. `live`: the fields that must be up to date there; `reads`: everything
 * read by name, so that mappings and tables that are not read are not computed.
 */
export type Wanted = { readonly live: Live; readonly reads: ReadonlySet<string> };

/** What the master's part has to compute. */
export type MasterDemand = {
  /** The fields that are read after the master's rules. */
  readonly live: Live;
  /** The mappings whose results are read. */
  readonly mappings: readonly Mapping[];
  /** Whether the stock offered on the export's channel is read. */
  readonly offered: boolean;
};

/**
 * What each stage has to compute because a later one reads it: determined once, from the last stage to the first, before anything
 * is built.
 */
export type Demand = {
  readonly master: MasterDemand;
  /** The fields that are read after the export's rules. */
  readonly live: Live;
  /** Whether items are numbered after the export's rules. */
  readonly numbered: boolean;
  /** The tables whose results are read. */
  readonly tables: readonly ExportTable[];
};

/** The keys that the construction and the attributes read by name. */
export function constructionReads(plan: FieldPlan): ReadonlySet<string> {
  return new Set(fieldsOf(plan, () => []).flatMap(fieldReads));
}

/** What the export's fields read: all fields if there is no construction. */
function wantedByFields(plan: ExportPlan): Wanted {
  const reads = constructionReads(plan);
  return { live: passesThrough(plan) ? 'all' : reads, reads };
}

/** Returns the demand of a plan. The second argument is what is read after the tables; default: what the export's fields read. */
export function demand(plan: ExportPlan, { live, reads }: Wanted = wantedByFields(plan)): Demand {
  const tables = neededTables(plan.tables, reads);
  const rows = tables.map((table) => plan.tables[table]);
  const afterRules = keysBefore(rows, live);
  const readNames = new Set([...reads, ...rows.flatMap(rowKeys), ...namedInRules(plan.exportRules)]);
  return {
    master: masterDemand(plan, { live: fieldsBefore(plan.exportRules, afterRules), reads: readNames }),
    live: afterRules,
    numbered: readNames.has(INDEX),
    tables,
  };
}

/** Returns the demand of the master's part, from what is read after its mappings. */
export function masterDemand(plan: Pick<MasterPlan, 'mappings'>, { live, reads }: Wanted): MasterDemand {
  const mappings = neededMappings(plan.mappings, reads);
  return {
    live: keysBefore(
      mappings.map(({ data }) => data),
      live,
    ),
    mappings,
    offered: reads.has(OFFERED),
  };
}
