import { OFFERED } from '#feed/plan/demand.ts';
import { mappingOf, sourceName } from '#feed/stages/assignments/explain.ts';
import { checkRegex } from '#engine/read/regex.ts';
import type { RuleCount } from '#engine/analysis/rule-counts.ts';
import type { Overlap } from '#engine/analysis/rule-overlaps.ts';
import type { Shadow } from '#engine/analysis/rule-shadows.ts';
import { checkRules, type RuleProblem, stopsAction } from '#shared/rules/check.ts';
import type { RuleFinding } from '#shared/rules/effect.ts';
import { conditionSentence, quoted, ruleName, uncalculatedWords } from '#shared/rules/sentences.ts';
import type { CheckedList } from './checked-list.ts';
import type { GoneField } from './gone-fields.ts';
import type { RuleState } from './rule-state.ts';
import { EMPTIED_BY_MASTER, whyNeverHolds } from './reason.ts';
import { itemsWord, onItems } from './words.ts';

type Other = NonNullable<RuleFinding['other']>;

/** What rules may read: the fields that any import had, and the catalogue's mappings. */
export type KnownSources = {
  readonly earlier: ReadonlySet<string>;
  readonly mappings: readonly { readonly name: string; readonly active: boolean }[];
};

/** Findings as German sentences. Rules are identified by their index among the compiled ones, except where named `own`. */
export class FindingWords {
  private readonly list: CheckedList;
  private readonly mappings: KnownSources['mappings'];
  private readonly scope: RuleState['scope']['kind'];
  private known: ReadonlyMap<string, RuleProblem[]> | undefined;
  constructor(list: CheckedList, mappings: KnownSources['mappings'], scope: RuleState['scope']['kind']) {
    this.list = list;
    this.mappings = mappings;
    this.scope = scope;
  }

  private finding(index: number, code: RuleFinding['code'], message: string, other: Other | null = null): RuleFinding {
    return { ruleId: this.list.at(index).rule.id, code, message, other };
  }

  private other(index: number): Other {
    const { rule, scope } = this.list.at(index);
    return { ruleId: rule.id, name: rule.name, scope };
  }

  private name(index: number): string {
    return ruleName(this.list.at(index).rule);
  }

  /** `own`: the index in the checked list. */
  private own(own: number, code: RuleFinding['code'], message: string): RuleFinding {
    return { ruleId: this.list.rules[own]?.id ?? '', code, message, other: null };
  }

  goneField({ place, field, use, before }: GoneField): RuleFinding {
    const mapping = mappingOf(field);
    const source = mapping === undefined ? `Feld ${quoted(sourceName(field))}` : `Mapping ${quoted(mapping)}`;
    const what = `Die Regel ${use === 'asks' ? 'fragt' : 'liest'} das ${source}${use === 'asks' ? ' ab' : ''}`;
    if (mapping !== undefined) return this.own(place, 'field_gone', `${what}, aber ${this.whyNoResult(mapping)}`);
    if (field === OFFERED)
      return this.own(
        place,
        'field_gone',
        `${what}, aber für diesen Kanal wird kein Bestand berechnet. Schalten Sie den Kanal unter „Bestand“ ein.`,
      );
    const why = before ? 'der letzte Import hat das Feld nicht mehr' : 'das Feld gibt es im Katalog nicht';
    return this.own(place, 'field_gone', `${what}, aber ${why}.`);
  }

  private whyNoResult(mapping: string): string {
    if (this.scope === 'master')
      return 'Mappings laufen erst nach den Regeln des Katalogs. Nur Regeln eines Exports können sie lesen.';
    return this.mappings.some(({ name }) => name === mapping)
      ? 'dieses Mapping ist pausiert und liefert keinen Wert. Aktivieren Sie es unter „Mappings“.'
      : 'dieses Mapping gibt es nicht (mehr). Wählen Sie eine andere Quelle, oder legen Sie das Mapping an.';
  }

  exclusive(index: number, [one, other]: readonly [number, number]): RuleFinding {
    const querys = this.list.rules[index]?.querys ?? [];
    const sentences = [querys[one], querys[other]].map((condition) => (condition ? conditionSentence(condition) : ''));
    return this.own(
      index,
      'contradiction',
      `Die Regel kann nie zutreffen, denn zwei Bedingungen schließen einander aus: ${sentences.join(' und ')}.`,
    );
  }

  /** A rule that holds on no item at its position. */
  dead(shadow: Shadow, counts: readonly RuleCount[]): RuleFinding {
    return shadow.raw > 0 ? this.shadowed(shadow) : this.neverHolds(shadow, counts);
  }

  private shadowed({ place, raw, causes }: Shadow): RuleFinding {
    const would = `Auf ${onItems(raw)} träfe die Regel zu, wie sie aus dem Import kommen; an ihrer Stelle trifft sie auf keinen zu.`;
    const [cause] = causes.toSorted((one, other) => other.items - one.items);
    if (!cause) return this.finding(place, 'shadowed', would);
    const share = cause.items >= raw ? (raw === 1 ? 'diesen' : 'diese alle') : `${itemsWord(cause.items)} davon`;
    const did =
      cause.kind === 'excludes'
        ? `${this.name(cause.by)} schließt ${share} vorher aus.`
        : `${this.name(cause.by)} ändert vorher ${cause.items >= raw ? 'dort' : `auf ${onItems(cause.items)} davon`} Felder, nach denen diese Regel fragt.`;
    return this.finding(place, 'shadowed', `${would} ${did}`, this.other(cause.by));
  }

  private neverHolds({ place, conditions }: Shadow, counts: readonly RuleCount[]): RuleFinding {
    const { rule } = this.list.at(place);
    const pre = counts[place]?.pre ?? 0;
    if (pre > 0) {
      const why = whyNeverHolds(rule, { pre, conditions }, this.problems().get(String(place)) ?? []);
      return this.finding(place, 'never_holds', why);
    }
    const emptied = counts.findIndex(({ pre: reached, post }) => reached > 0 && post === 0);
    if (emptied === -1) return this.finding(place, 'never_holds', EMPTIED_BY_MASTER);
    const message = `Keine Artikel erreichen die Regel: ${this.name(emptied)} schließt vorher alle aus. Auch ohne sie träfe die Regel auf keinen zu.`;
    return this.finding(place, 'never_holds', message, this.other(emptied));
  }

  changesNothing(index: number, { held, unchanged }: RuleCount): RuleFinding {
    const hit = `Die Regel trifft auf ${itemsWord(held)} zu, ändert aber keinen`;
    const problem = this.problems().get(String(index))?.find(stopsAction);
    const why =
      unchanged > 0
        ? `die Berechnung war nicht möglich (${uncalculatedWords(this.list.at(index).rule)}) oder die Werte sind dort schon so`
        : 'die Werte sind dort schon so';
    return this.finding(index, 'changes_nothing', problem ? `${hit}. ${problem.message}` : `${hit}: ${why}.`);
  }

  overwritten(index: number, by: readonly number[], held: number): RuleFinding {
    const last = by.at(-1) ?? index;
    const principal =
      by.length === 1 ? `überschreibt ${this.name(last)}` : `überschreiben spätere Regeln, zuletzt ${this.name(last)},`;
    const fields = this.list.compiled[index]?.changes.map(({ field }) => field) ?? [];
    const what = [...new Set(fields)].join(', ');
    return this.finding(
      index,
      'overwritten',
      `Alles, was die Regel schreibt (${what}), ${principal} danach auf ${held === 1 ? 'dem einen Artikel' : `allen ${onItems(held)}`} wieder, ehe es jemand liest.`,
      this.other(last),
    );
  }

  overlap({ earlier, later, field, from, to, items }: Overlap): RuleFinding {
    const value = (text: string | undefined) => (text === undefined ? 'leer' : quoted(text));
    return this.finding(
      later,
      'contradiction',
      `${this.name(earlier)} setzt auf ${onItems(items)} dasselbe Feld ${field} auf ${value(from)}, diese Regel danach auf ${value(to)}.`,
      this.other(earlier),
    );
  }

  /** Problems found from the wording of the compiled rules, by index; computed once. */
  private problems(): ReadonlyMap<string, RuleProblem[]> {
    if (this.known) return this.known;
    const { compiled, state } = this.list;
    const rules = compiled.map((_, index) => ({ ...this.list.at(index).rule, id: String(index) }));
    const fields = state.snapshot.fields.map(({ name }) => name);
    const known = Map.groupBy(checkRules(rules, fields, checkRegex), ({ ruleId }) => ruleId);
    this.known = known;
    return known;
  }
}
