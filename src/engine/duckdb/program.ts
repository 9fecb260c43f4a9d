import { join, keyOf, name, namesIn, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { HIDDEN } from '#engine/ir/source-key.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { withoutThousandsMark } from './number-groups.ts';
import { NumberReadings } from './number-readings.ts';
import { cleanedNumber, fullNumber, NUMBER, plainNumber, SHORT_NUMBER, shortNumber } from './number.ts';
import { ID, MISSING, type Relation } from './relation.ts';

/** Placeholder for the step that a threshold will read from, when only the wording of its query matters. */
const FROM = duck`FROM`;

/**
 * One column that a program adds, an expression over the item's other columns. A `window` reads all items and shuffles their
 * order; it is never moved into another expression. A `threshold` is one value for all items: `serialize` gets the step that has
 * the columns it uses, and returns a query of one row with the column `value`. No other column is inlined into a `lambda`,
 * because DuckDB refuses subqueries there.
 */
export type Definition = {
  readonly name: string;
  readonly uses: ReadonlySet<string>;
  readonly serialize: (from: Sql) => Sql;
  readonly kind: 'row' | 'threshold' | 'window';
  readonly lambda?: boolean;
};

/** A version of a field made by rules that set constants, one after the other, on top of the version `before`. */
type Settings = {
  readonly before: Sql;
  /** The latest setting first. */
  readonly made: readonly { readonly holds: Sql; readonly value: string | undefined }[];
};

/** The most constants set one after the other in one expression: each more is carried along and tested for each item. */
const MOST_SETTINGS = 8;

/** State shared by a program and its forks, which define columns of the same items. */
class Shared {
  readonly definitions = new Map<string, Definition>();
  /** Columns by the text of their expression: a repeated expression reuses its column. */
  readonly known = new Map<string, Sql>();
  /** For a version: on which items it was changed, and from which version. */
  readonly origins = new Map<Sql, { readonly holds: Sql; readonly before: Sql }>();
  readonly settings = new Map<Sql, Settings>();
  readonly lowered = new Map<Sql, Sql>();
  readonly plain = new Map<Sql, Sql>();
  readonly cleaned = new Map<Sql, Sql>();
  readonly shorts = new Map<Sql, Sql>();
  readonly numbers = new Map<Sql, Sql>();
}

/**
 * The columns that a list of rules needs over a relation, in the order of definition. Every change makes a new version of its
 * field's column; lower-cased and numeric forms of a version are made once and shared. No SQL is generated until `layered`
 * selects the columns that are needed.
 */
export class Program {
  readonly base: Relation;
  readonly readings: NumberReadings;
  private readonly shared: Shared;
  private readonly prefix: string;
  private readonly versions: Map<string, Sql>;
  private readonly leaving: { readonly index: number; readonly holds: Sql }[];
  private left: { readonly column: Sql; readonly rules: number } | undefined;

  constructor(base: Relation, origin?: Program) {
    this.base = base;
    this.readings = new NumberReadings(base.groups, origin?.readings);
    // Steps of several stages share one statement, so the columns of each stage have their own prefix.
    this.prefix = `v${base.steps.length}_`;
    this.shared = origin?.shared ?? new Shared();
    this.leaving = [...(origin?.leaving ?? [])];
    this.left = origin?.left;
    this.versions = new Map(
      origin?.versions ?? [...base.columns].map(([field, column]) => [field, name(column)] as const),
    );
  }

  /**
   * Returns a program that continues with other rules from the current state. What both do alike is one shared column, so columns
   * that do not differ are the same object.
   */
  fork(): Program {
    return new Program(this.base, this);
  }

  get definitions(): Map<string, Definition> {
    return this.shared.definitions;
  }

  /** Adds a column with the value of an expression over columns defined so far. */
  define(expression: Sql): Sql {
    return this.add({ uses: namesIn(expression), serialize: () => expression, kind: 'row' });
  }

  /** Adds one value for all items; `uses` mentions the columns that its query reads. */
  defineThreshold(uses: Sql, serialize: (from: Sql) => Sql): Sql {
    return this.add({ uses: namesIn(uses), serialize, kind: 'threshold' });
  }

  /** Adds a column with a window function. */
  defineWindow(expression: Sql): Sql {
    return this.add({ uses: namesIn(expression), serialize: () => expression, kind: 'window' });
  }

  /** Adds a column whose expression contains a lambda. */
  defineLambda(expression: Sql): Sql {
    return this.add({ uses: namesIn(expression), serialize: () => expression, kind: 'row', lambda: true });
  }

  private add(definition: Omit<Definition, 'name'>): Sql {
    const { definitions, known } = this.shared;
    const key = `${definition.kind} ${keyOf(definition.serialize(FROM))}`;
    const same = known.get(key);
    if (same) return same;
    const identifier = `${this.prefix}${definitions.size}`;
    definitions.set(identifier, { name: identifier, ...definition });
    const column = name(identifier);
    known.set(key, column);
    return column;
  }

  /** The current fields of the items, including those added by rules, without `_id`. */
  fields(): string[] {
    return [...this.versions.keys()].filter((field) => !field.startsWith(HIDDEN));
  }

  /** The hidden columns that are carried with the items. */
  marks(): string[] {
    return [...this.versions.keys()].filter((field) => field.startsWith(HIDDEN));
  }

  /** Stores a column next to the fields, under a `hidden` name; later programs over these items read it with `text`. */
  mark(key: string, column: Sql): void {
    this.versions.set(key, column);
  }

  /** The current text of a field, which may be `_id`; an unknown field is missing. */
  text(field: string): Sql {
    return this.versions.get(field) ?? (field === ITEM_ID ? ID : MISSING);
  }

  /** Returns a function that gives the text of a field as it is now, even after later changes. */
  snapshot(): (field: string) => Sql {
    const versions = new Map(this.versions);
    return (field) => versions.get(field) ?? (field === ITEM_ID ? ID : MISSING);
  }

  /** The current text of a field, lower-cased. */
  lower(field: string): Sql {
    return this.lowered(this.text(field));
  }

  /** A text of the program, lower-cased. */
  lowered(text: Sql): Sql {
    return this.form(this.shared.lowered, text, (one) => duck`lower(${one})`, MISSING);
  }

  /**
   * Evaluates `ask` on a field's current text. Where rules set constants (undefined: empty), `decided` gives the result and `ask`
   * reads the text before them: DuckDB tests a file column of few values once per value, a text that rules made for each item.
   */
  asked(field: string, ask: (text: Sql) => Sql, decided: (value: string | undefined) => boolean): Sql {
    const text = this.text(field);
    const settings = this.shared.settings.get(text);
    if (!settings) return ask(text);
    const cases = settings.made.map(
      ({ holds, value }) => duck` WHEN ${holds} THEN ${decided(value) ? duck`TRUE` : duck`FALSE`}`,
    );
    return duck`CASE${join(cases, duck``)} ELSE ${ask(settings.before)} END`;
  }

  /** The current number of a field, NULL if it is none. */
  number(field: string): Sql {
    const groups = this.readings.of(field);
    const make = (text: Sql) => fullNumber(this.short(text, groups), this.cleaned(text, groups));
    return this.form(this.shared.numbers, this.text(field), make, duck`CAST(NULL AS ${NUMBER})`);
  }

  /** The current number of a field if it fits 64 bits, else NULL. */
  shortNumber(field: string): Sql {
    return this.short(this.text(field), this.readings.of(field));
  }

  private short(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) => duck`coalesce(${this.plain(one, groups)}, ${shortNumber(this.cleaned(one, groups))})`;
    return this.form(this.shared.shorts, text, make, duck`CAST(NULL AS ${SHORT_NUMBER})`);
  }

  private plain(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) => plainNumber(withoutThousandsMark(one, groups));
    return this.form(this.shared.plain, text, make, duck`CAST(NULL AS ${SHORT_NUMBER})`);
  }

  /** A text as canonical decimal text; NULL if it is already a plain number. */
  private cleaned(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) =>
      duck`CASE WHEN ${this.plain(one, groups)} IS NULL THEN ${cleanedNumber(withoutThousandsMark(one, groups))} END`;
    return this.form(this.shared.cleaned, text, make, MISSING);
  }

  private form(made: Map<Sql, Sql>, text: Sql, make: (text: Sql) => Sql, missing: Sql): Sql {
    if (text === MISSING) return missing;
    const known = made.get(text);
    if (known) return known;
    const before = this.formBefore(made, text, make, missing);
    const form = this.define(
      before ? duck`CASE WHEN ${before.changed} THEN ${make(text)} ELSE ${before.form} END` : make(text),
    );
    made.set(text, form);
    return form;
  }

  /** Where a version changed, and the existing form of the text before it, still valid elsewhere; undefined if there is none. */
  private formBefore(
    made: Map<Sql, Sql>,
    text: Sql,
    make: (text: Sql) => Sql,
    missing: Sql,
  ): { changed: Sql; form: Sql } | undefined {
    const start = (set: Settings | undefined) => set && made.get(set.before);
    const settings = this.shared.settings.get(text);
    const form = start(settings);
    if (settings && form) {
      const holds = settings.made.map((one) => one.holds);
      return { changed: join(holds, duck` OR `), form };
    }
    const origin = this.shared.origins.get(text);
    if (!origin) return undefined;
    const { holds, before } = origin;
    const hasForm = made.has(before) || start(this.shared.settings.get(before)) !== undefined;
    return hasForm ? { changed: holds, form: this.form(made, before, make, missing) } : undefined;
  }

  /** Sets the field's text to `value` where `holds`. */
  write(field: string, holds: Sql, value: Sql): void {
    this.change(field, holds, duck`CASE WHEN ${holds} THEN ${value} ELSE ${this.text(field)} END`);
  }

  private change(field: string, holds: Sql, text: Sql): Sql {
    const before = this.text(field);
    const version = this.define(text);
    this.shared.origins.set(version, { holds, before });
    this.versions.set(field, version);
    return version;
  }

  /** Sets the field's text to a constant where `holds`; undefined makes it missing. */
  set(field: string, holds: Sql, value: string | undefined): void {
    const before = this.text(field);
    const earlier = this.shared.settings.get(before);
    const joins = earlier !== undefined && earlier.made.length < MOST_SETTINGS;
    const settings = {
      before: joins ? earlier.before : before,
      made: [{ holds, value }, ...(joins ? earlier.made : [])],
    };
    const cases = settings.made.map((one) => duck` WHEN ${one.holds} THEN ${one.value ?? MISSING}`);
    const version = this.change(field, holds, duck`CASE${join(cases, duck``)} ELSE ${settings.before} END`);
    this.shared.settings.set(version, settings);
  }

  /** Sets the field to a number where `done` and a `text` of it exists; `short` and `full` are the number's forms there. */
  writeNumber(field: string, { done, text, short, full }: { done: Sql; text: Sql; short: Sql; full: Sql }): void {
    const before = this.text(field);
    // coalesce instead of `done`: each part occurs once, and is computed only where no later rule replaces the field.
    const version = this.change(field, done, duck`coalesce(${text}, ${before})`);
    const forms = [
      [this.shared.shorts, short],
      [this.shared.numbers, full],
    ] as const;
    for (const [made, form] of forms) {
      const old = made.get(before);
      if (old) made.set(version, this.define(duck`CASE WHEN ${done} THEN ${form} ELSE ${old} END`));
    }
  }

  /** Excludes the items on which `holds` at rule `index`. */
  exclude(index: number, holds: Sql): void {
    this.leaving.push({ index, holds });
  }

  /** The index of the rule that has excluded an item so far, NULL while it remains; undefined if no rule excludes. */
  excludedAt(): Sql | undefined {
    if (this.leaving.length > (this.left?.rules ?? 0)) {
      const added = this.leaving.slice(this.left?.rules ?? 0);
      const cases = added.map(({ index, holds }) => duck` WHEN ${holds} THEN ${ownNumber(index)}`);
      const before = this.left ? duck` WHEN ${this.left.column} IS NOT NULL THEN ${this.left.column}` : duck``;
      const column = this.define(duck`CASE${before}${join(cases, duck``)} END`);
      this.left = { column, rules: this.leaving.length };
    }
    return this.left?.column;
  }

  /** Whether an item still remains, as a condition. */
  present(): Sql {
    const left = this.excludedAt();
    return left ? duck`${left} IS NULL` : duck`TRUE`;
  }
}
