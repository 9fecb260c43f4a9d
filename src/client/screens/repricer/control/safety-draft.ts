import { type PriceSafety, safetyChanges, type SafetyFigure, safetyNames } from '#shared/repricer/safety.ts';

/** What stands in the fields, also while somebody is typing. */
export type SafetyDraft = Readonly<Record<SafetyFigure, number | string>>;

export const differs = (one: SafetyDraft, other: SafetyDraft): boolean =>
  safetyNames.some((name) => one[name] !== other[name]);

/** The draft on top of what somebody else has saved meanwhile: only what was changed in it stays as it is. */
export const rebased = (draft: SafetyDraft, before: PriceSafety, now: PriceSafety): SafetyDraft => ({
  ...now,
  ...Object.fromEntries(safetyNames.filter((name) => draft[name] !== before[name]).map((name) => [name, draft[name]])),
});

/** What somebody else has saved meanwhile, and what becomes of the draft. */
export function otherWords(before: PriceSafety, now: PriceSafety): string {
  const changes = safetyChanges(before, now);
  const what = changes.length === 0 ? '' : ` (${changes.join('; ')})`;
  return `Jemand hat inzwischen gespeichert${what}. Ihre Änderungen stehen noch im Formular. Bitte prüfen Sie sie und speichern Sie noch einmal.`;
}
