import { namedFields } from '#engine/ir/fields-of.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { snapshotRelation } from '#engine/duckdb/relation.ts';
import { RuleComparison } from '#engine/analysis/rule-comparison.ts';
import { isSource, sourceKey } from '#engine/ir/source-key.ts';
import { exportTableNames, INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { rowKeys } from '#feed/stages/assignments/rows.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import { INDEX } from '#feed/plan/demand.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';

/** The rules that an export would run with after a save. */
export type UnsavedPlan = { readonly masterRules: readonly Rule[]; readonly exportRules: readonly Rule[] };

/** Determines which fields, results of mappings and internal fields can differ between two plans that differ only in rules. */
export class ChangedFields {
  readonly rules: RuleComparison;
  /** Whether export rules read results of mappings. These run between the two lists, which then cannot be joined into one. */
  readonly readsMappings: boolean;
  private readonly sources: ReadonlySet<string>;

  constructor(plan: ExportPlan, then: ExportPlan) {
    const items = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
    const all = ({ masterRules, exportRules }: UnsavedPlan) => [...readRules(masterRules), ...readRules(exportRules)];
    this.rules = new RuleComparison(items, all(plan), all(then));
    const master = new RuleComparison(items, readRules(plan.masterRules), readRules(then.masterRules));
    const own = [...readRules(plan.exportRules), ...readRules(then.exportRules)];
    this.readsMappings = own.some((rule) => [...namedFields(rule)].some(isSource));
    const sources = new Set<string>();
    for (const { name, data } of runningMappings(plan.mappings)) {
      if (rowKeys(data).some((key) => sources.has(key) || master.differs(key)))
        sources.add(sourceKey('_mapping', name));
    }
    // An item that is removed or added changes the running number of all items after it.
    if (this.rules.leavesDiffer()) sources.add(INDEX);
    for (const table of exportTableNames) {
      if (!rowKeys(plan.tables[table]).some((key) => sources.has(key) || this.rules.differs(key))) continue;
      for (const field of INTERNAL_FIELDS) {
        if ('from' in field && field.from === table) sources.add(sourceKey('_intern', field.value));
      }
    }
    this.sources = sources;
  }

  differs(key: string): boolean {
    if (this.readsMappings) return true;
    return isSource(key) ? this.sources.has(key) : this.rules.differs(key);
  }
}
