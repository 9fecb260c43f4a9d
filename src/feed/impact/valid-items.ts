import { sideBySide, type Compared } from '#engine/analysis/rule-comparison.ts';
import { ID, nextStep, ROW } from '#engine/duckdb/relation.ts';
import type { Batches } from '#engine/duckdb/rule-batches.ts';
import { passesThrough, type ExportPlan } from '#feed/plan/export-plan.ts';
import { validatedItems, type ValidatedItems } from '#feed/plan/validated-items.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import type { ExportField } from '#feed/stages/construction/fields.ts';
import { columnText } from '#feed/stages/construction/values.ts';
import { hasError } from '#feed/stages/validation/counts.ts';
import { duck, join, name, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';

/** The valid items of an export that omits items with errors, under the rules as they are and as they would be. */
export class ValidItems {
  private readonly plan: ExportPlan;
  private readonly ways: readonly [ValidatedItems, ValidatedItems];

  constructor(plan: ExportPlan, then: ExportPlan, format: OutputFormat) {
    this.plan = plan;
    this.ways = [validatedItems(plan, format), validatedItems(then, format)];
  }

  /** Fields in which an item can have an error. */
  private failing(): string[] {
    return this.ways.flatMap(({ problems, unique }) => [
      ...problems.filter(({ severity }) => severity === 'error').flatMap(({ shows }) => shows),
      ...unique.flatMap(({ problem }) => problem.shows),
    ]);
  }

  /** Whether an item can have an error at all. */
  canFail(): boolean {
    return this.failing().length > 0;
  }

  /** Whether one of the fields affects if an item has an error, itself or as a condition of a check. */
  dependsOn(fields: readonly ExportField[]): boolean {
    if (!this.canFail()) return false;
    const { fields: known = [], checks = [] } = this.plan.template ?? {};
    const conditions = [...known, ...checks].flatMap((one) => ('when' in one ? one.when : []));
    const names = new Set([...this.failing(), ...conditions.map(({ field }) => field)]);
    return fields.some(({ row }) => names.has(row.exportfield));
  }

  /** The items without errors under both, with the texts of the fields under their `keyOf`. */
  compared(fields: readonly ExportField[]): Compared {
    const keys = fields.map((field) => this.keyOf(field));
    const [one, other] = this.ways;
    return sideBySide([this.valid(one, keys), this.valid(other, keys)], keys, ['impact_before', 'impact_after']);
  }

  /** The key of a field under both plans: by row of the construction or, without a construction, by name. */
  keyOf({ row }: ExportField): string {
    return this.key(row.id, row.exportfield);
  }

  private key(rowId: string, field: string): string {
    return passesThrough(this.plan) ? field : JSON.stringify([rowId, field]);
  }

  private valid({ statements, relation, columns, problems, unique }: ValidatedItems, keys: readonly string[]): Batches {
    const wanted = new Set(keys);
    const chosen = columns.filter((column) => wanted.has(this.key(column.rowId, column.name)));
    const texts = chosen.map((column, index) => duck`${columnText(column)} AS ${name(`v${index}`)}`);
    const own = unique.map(({ text }, index) => duck`nullif(${text}, '') AS ${name(`u${index}`)}`);
    const list = join([ID, ROW, ...texts, ...own, duck`${hasError(problems)} AS ${name('wrong')}`], duck`, `);
    // As in a run, duplicates are searched among all items, including those with other errors: this reads the items twice.
    const checked = nextStep(relation, duck`SELECT ${list} FROM ${name(relation.from)}`, this.columnsOf(chosen), {
      kept: unique.length > 0,
    });
    const twice = unique.map((_, index) => sharedWith(name(`u${index}`), name(checked.from)));
    const wrong = join([name('wrong'), ...twice], duck` OR `);
    const body = duck`SELECT * FROM ${name(checked.from)} WHERE NOT (${wrong})`;
    return { statements, relation: nextStep(checked, body, checked.columns) };
  }

  private columnsOf(chosen: readonly ExportColumn[]): Map<string, string> {
    return new Map(chosen.map((column, index) => [this.key(column.rowId, column.name), `v${index}`]));
  }
}

const sharedWith = (text: Sql, from: Sql): Sql =>
  duck`coalesce(${text} IN (SELECT ${text} FROM ${from} WHERE ${text} IS NOT NULL GROUP BY 1 HAVING count(*) > 1), FALSE)`;
