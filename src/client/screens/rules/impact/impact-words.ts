import type { ExportImpact } from '#shared/rules/effect.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** `danger`: a required field is emptied, or more than half of the items are removed. */
export type ImpactLevel = 'danger' | 'notice' | 'quiet' | 'none';

const order: readonly ImpactLevel[] = ['danger', 'notice', 'quiet', 'none'];

const emptiedRequired = ({ fields }: ExportImpact) => fields.filter(({ required, emptied }) => required && emptied > 0);
const losesMost = ({ before, removed }: ExportImpact): boolean => removed > before / 2;

export function impactLevel(impact: ExportImpact): ImpactLevel {
  if (losesMost(impact) || emptiedRequired(impact).length > 0) return 'danger';
  if (impact.removed > 0 || impact.fields.some(({ emptied }) => emptied > 0)) return 'notice';
  return impact.changedValues > 0 || impact.added > 0 ? 'quiet' : 'none';
}

/** Returns the exports in which something changes, the worst first. */
export function touchedExports(exports: readonly ExportImpact[]): ExportImpact[] {
  return exports
    .filter((impact) => impactLevel(impact) !== 'none')
    .sort(
      (one, other) =>
        order.indexOf(impactLevel(one)) - order.indexOf(impactLevel(other)) ||
        other.changedValues + other.removed - one.changedValues - one.removed,
    );
}

/** „1.204 Werte in 3 Feldern, 12 Artikel fallen heraus, Pflichtfeld Preis wird bei 3 leer“ */
export function impactWords(impact: ExportImpact): string {
  const { changedValues, fields, removed, added } = impact;
  const [required, ...more] = emptiedRequired(impact);
  const words = [
    ...(changedValues > 0
      ? [`${formatCount(changedValues, 'Wert', 'Werte')} in ${formatCount(fields.length, 'Feld', 'Feldern')}`]
      : []),
    ...(removed > 0
      ? [removed === 1 ? '1\u00a0Artikel fällt heraus' : `${formatInteger(removed)}\u00a0Artikel fallen heraus`]
      : []),
    ...(added > 0 ? [`${formatCount(added, 'Artikel kommt', 'Artikel kommen')} dazu`] : []),
    ...(required === undefined
      ? []
      : [`Pflichtfeld ${required.name} wird bei ${formatInteger(required.emptied)} leer`]),
    ...(more.length > 0 ? [`${formatCount(more.length, 'weiteres Pflichtfeld', 'weitere Pflichtfelder')} auch`] : []),
  ];
  return words.length === 0 ? 'keine Änderung' : words.join(', ');
}

/** Returns the warning to read before saving, in one sentence; undefined if nothing is dangerous. */
export function impactWarning(exports: readonly ExportImpact[]): string | undefined {
  const [worst, ...more] = touchedExports(exports).filter((impact) => impactLevel(impact) === 'danger');
  if (worst === undefined) return undefined;
  const [required] = emptiedRequired(worst);
  const what = losesMost(worst)
    ? `${formatInteger(worst.removed)} von ${formatCount(worst.before, 'Artikel', 'Artikeln')} ${worst.removed === 1 ? 'fällt' : 'fallen'} heraus`
    : `Pflichtfeld ${required?.name ?? ''} wird bei ${formatCount(required?.emptied ?? 0, 'Artikel', 'Artikeln')} leer`;
  const others =
    more.length === 0
      ? ''
      : ` Auch ${formatCount(more.length, 'weiterer Export ist', 'weitere Exporte sind')} betroffen.`;
  return `Achtung, ${worst.name}: ${what}.${others}`;
}
