import { join, keyOf, name, namesIn, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { HIDDEN } from '#engine/ir/source-key.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { ungrouped } from './number-groups.ts';
import { NumberReadings } from './number-readings.ts';
import { cleanedNumber, fullNumber, NUMBER, plainNumber, SHORT_NUMBER, shortNumber } from './number.ts';
import { ID, MISSING, type Relation } from './relation.ts';

/** Stands for the step that a threshold will read from, where only its wording matters. */
const FROM = duck`FROM`;

/**
 * One column that a program adds, an expression over the item's other columns. `window` ones look at all items and
 * shuffle their order; they are never moved into another expression. A `threshold` is one value for all items: `serialize`
 * gets the step that has the columns it uses, and gives a query of one row with the column `value`. Into one with a
 * `lambda` no other column's expression is written: DuckDB refuses subqueries there.
 */
export type Definition = {
  readonly name: string;
  readonly uses: ReadonlySet<string>;
  readonly serialize: (from: Sql) => Sql;
  readonly kind: 'row' | 'threshold' | 'window';
  readonly lambda?: boolean;
};

/** A version in which rules set constants, one after the other, into the version `before`. */
type Settings = {
  readonly before: Sql;
  /** The last one first. */
  readonly made: readonly { readonly holds: Sql; readonly value: string | undefined }[];
};

/** Constants that are set one after the other in one expression: each more is carried, and looked at for each item. */
const MOST_SETTINGS = 8;

/** What a program and its forks have in common: they define columns of the same items. */
class Shared {
  readonly definitions = new Map<string, Definition>();
  /** By its text: an expression that is wanted again is the column that it already has. */
  readonly known = new Map<string, Sql>();
  /** Of a version: on which items and from which version it was changed. */
  readonly origins = new Map<Sql, { readonly holds: Sql; readonly before: Sql }>();
  readonly settings = new Map<Sql, Settings>();
  readonly lowered = new Map<Sql, Sql>();
  readonly plain = new Map<Sql, Sql>();
  readonly cleaned = new Map<Sql, Sql>();
  readonly shorts = new Map<Sql, Sql>();
  readonly numbers = new Map<Sql, Sql>();
}

/**
 * The columns that a list of rules needs over a relation, in the order of their making. Every change makes a new version
 * of its field's column; lower-cased and numeric forms of a version are made once and shared. Nothing is written into a
 * statement before `layered` picks what is really needed.
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
    // Steps of several stages share one statement, so the columns of each have a prefix of their own.
    this.prefix = `v${base.steps.length}_`;
    this.shared = origin?.shared ?? new Shared();
    this.leaving = [...(origin?.leaving ?? [])];
    this.left = origin?.left;
    this.versions = new Map(
      origin?.versions ?? [...base.columns].map(([field, column]) => [field, name(column)] as const),
    );
  }

  /**
   * The same items from here on under other rules: what both do in the same way is one column, so columns that differ
   * in nothing are the same object.
   */
  fork(): Program {
    return new Program(this.base, this);
  }

  get definitions(): Map<string, Definition> {
    return this.shared.definitions;
  }

  /** A new column with the value of an expression over columns known so far. */
  define(expression: Sql): Sql {
    return this.add({ uses: namesIn(expression), serialize: () => expression, kind: 'row' });
  }

  /** A value of all items; `uses` mentions the columns that its query reads. */
  defineThreshold(uses: Sql, serialize: (from: Sql) => Sql): Sql {
    return this.add({ uses: namesIn(uses), serialize, kind: 'threshold' });
  }

  /** A new column with a window function. */
  defineWindow(expression: Sql): Sql {
    return this.add({ uses: namesIn(expression), serialize: () => expression, kind: 'window' });
  }

  /** A new column whose expression holds a lambda. */
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

  /** The fields that the items have now, those added by rules included; `_id` is none. */
  fields(): string[] {
    return [...this.versions.keys()].filter((field) => !field.startsWith(HIDDEN));
  }

  /** The hidden columns that travel with the items. */
  marks(): string[] {
    return [...this.versions.keys()].filter((field) => field.startsWith(HIDDEN));
  }

  /** Keeps a column beside the fields, under a `hidden` name; later programs over these items read it with `text`. */
  mark(key: string, column: Sql): void {
    this.versions.set(key, column);
  }

  /** The text of a field now; `_id` may be read; an unknown field is missing. */
  text(field: string): Sql {
    return this.versions.get(field) ?? (field === ITEM_ID ? ID : MISSING);
  }

  /** The columns as they are now, for asking later. */
  snapshot(): (field: string) => Sql {
    const versions = new Map(this.versions);
    return (field) => versions.get(field) ?? (field === ITEM_ID ? ID : MISSING);
  }

  /** The lower-cased text of a field now. */
  lower(field: string): Sql {
    return this.lowered(this.text(field));
  }

  /** A text that the program knows, lower-cased. */
  lowered(text: Sql): Sql {
    return this.form(this.shared.lowered, text, (one) => duck`lower(${one})`, MISSING);
  }

  /**
   * What `ask` asks of a field's text now. Where rules have set constants (undefined: nothing) `decided` tells the answer, and the text
   * before them is asked: DuckDB asks a column of the file once for each of its values, if those are few, but not a text that rules made.
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

  /** The number of a field now, NULL if it is none. */
  number(field: string): Sql {
    const groups = this.readings.of(field);
    const make = (text: Sql) => fullNumber(this.short(text, groups), this.cleaned(text, groups));
    return this.form(this.shared.numbers, this.text(field), make, duck`CAST(NULL AS ${NUMBER})`);
  }

  /** The number of a field now if 64 bits are enough for it, else NULL. */
  shortNumber(field: string): Sql {
    return this.short(this.text(field), this.readings.of(field));
  }

  private short(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) => duck`coalesce(${this.plain(one, groups)}, ${shortNumber(this.cleaned(one, groups))})`;
    return this.form(this.shared.shorts, text, make, duck`CAST(NULL AS ${SHORT_NUMBER})`);
  }

  private plain(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) => plainNumber(ungrouped(one, groups));
    return this.form(this.shared.plain, text, make, duck`CAST(NULL AS ${SHORT_NUMBER})`);
  }

  /** What is no plain number, as canonical decimal text. */
  private cleaned(text: Sql, groups: NumberGroups | undefined): Sql {
    const make = (one: Sql) =>
      duck`CASE WHEN ${this.plain(one, groups)} IS NULL THEN ${cleanedNumber(ungrouped(one, groups))} END`;
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

  /** Of a version: where it changed, and the form of what was before, which serves everywhere else; undefined if there is none. */
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

  /** From now on the field's text is `value` where `holds`. */
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

  /** From now on the field's text is a constant where `holds`, or missing. */
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

  /** From now on the field is this number where `done`, where there is a `text` of it; `short` and `full` are its forms there. */
  writeNumber(field: string, { done, text, short, full }: { done: Sql; text: Sql; short: Sql; full: Sql }): void {
    const before = this.text(field);
    // Not by `done`: so each part stands once, and is computed where no later rule computes the field anew.
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

  /** The items on which `holds` leave at rule `index`. */
  exclude(index: number, holds: Sql): void {
    this.leaving.push({ index, holds });
  }

  /** The index of the rule at which an item has left so far, NULL while it is there; undefined if no rule excludes. */
  leftAt(): Sql | undefined {
    if (this.leaving.length > (this.left?.rules ?? 0)) {
      const added = this.leaving.slice(this.left?.rules ?? 0);
      const cases = added.map(({ index, holds }) => duck` WHEN ${holds} THEN ${ownNumber(index)}`);
      const before = this.left ? duck` WHEN ${this.left.column} IS NOT NULL THEN ${this.left.column}` : duck``;
      const column = this.define(duck`CASE${before}${join(cases, duck``)} END`);
      this.left = { column, rules: this.leaving.length };
    }
    return this.left?.column;
  }

  /** Whether an item is still there, as a condition. */
  present(): Sql {
    const left = this.leftAt();
    return left ? duck`${left} IS NULL` : duck`TRUE`;
  }
}
