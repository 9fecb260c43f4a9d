import { type PriceSafety, safetyChanges, type SafetyFigure, safetyNames } from '#shared/repricer/safety.ts';

/** The content of the fields, also while the user is typing. */
export type SafetyDraft = Readonly<Record<SafetyFigure, number | string>>;

export const differs = (one: SafetyDraft, other: SafetyDraft): boolean =>
  safetyNames.some((name) => one[name] !== other[name]);

/** Returns the draft rebased on what somebody else saved: only fields changed in the draft keep their values. */
export const rebased = (draft: SafetyDraft, before: PriceSafety, now: PriceSafety): SafetyDraft => ({
  ...now,
  ...Object.fromEntries(safetyNames.filter((name) => draft[name] !== before[name]).map((name) => [name, draft[name]])),
});

/** Says what somebody else has saved, and that the draft is kept. */
export function otherWords(before: PriceSafety, now: PriceSafety): string {
  const changes = safetyChanges(before, now);
  const what = changes.length === 0 ? '' : ` (${changes.join('; ')})`;
  return `Jemand hat inzwischen gespeichert${what}. Ihre Änderungen stehen noch im Formular. Bitte prüfen Sie sie und speichern Sie noch einmal.`;
}
