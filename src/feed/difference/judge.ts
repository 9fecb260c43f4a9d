import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import type { Difference } from './difference.ts';

/** Facts about a new state compared with the accepted one; `before` and `after` count items. */
export type DifferenceFacts = {
  readonly before: number;
  readonly after: number;
  readonly difference: Difference | null;
  readonly drifts: readonly FieldDrift[];
  /** A user chose another key field for the new state, so that all item numbers are new is no surprise. */
  readonly newKey?: boolean;
};

/** What is to be done with the new state, and why, in German sentences. */
export type Judgement = { readonly action: 'accept' | 'notify' | 'block'; readonly reasons: readonly string[] };

const german = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });

/**
 * From this number of items on, a loss of four fifths is blocked regardless of the settings, also if as many new items make up
 * for it: a channel deletes the items whose numbers are gone.
 */
const FLOOR_ITEMS = 100;
const FLOOR_LEFT = 0.2;

/**
 * Decides whether a new state may replace the accepted one (DIF-03). The floors apply with every setting: an emptied or badly
 * shrunk file must not take a merchant's offers off a channel.
 */
export function judgeDifference(settings: DifferenceSettings, facts: DifferenceFacts): Judgement {
  if (facts.before === 0) return { action: 'accept', reasons: [] };
  const floor = floorReason(facts);
  if (floor !== undefined) return { action: 'block', reasons: [floor] };
  const reasons = [...thresholdReasons(settings, facts), ...graveDrifts(facts)];
  if (reasons.length === 0) return { action: 'accept', reasons };
  switch (settings.action_on_difference) {
    case 'block_send':
      return { action: 'block', reasons };
    case 'send_notification':
      return { action: 'notify', reasons };
    case 'no_action':
      return { action: 'accept', reasons };
  }
}

function floorReason(facts: DifferenceFacts): string | undefined {
  const { before, after } = facts;
  if (after === 0) return `Der neue Stand enthält keine Artikel; bisher sind es ${german.format(before)}.`;
  if (before >= FLOOR_ITEMS && after <= before * FLOOR_LEFT)
    return `Der neue Stand enthält nur noch ${german.format(after)} von ${german.format(before)} Artikeln.`;
  return facts.newKey ? undefined : renumberedReason(facts);
}

/** Why a state waits that has enough items but hardly one of the former item numbers. */
export function renumberedReason({
  before,
  difference,
}: Pick<DifferenceFacts, 'before' | 'difference'>): string | undefined {
  if (difference === null || before < FLOOR_ITEMS) return undefined;
  const left = before - difference.removed;
  if (left > before * FLOOR_LEFT) return undefined;
  const kept = left <= 0 ? 'keine' : `nur noch ${german.format(left)}`;
  return `Von den bisher ${german.format(before)} Artikelnummern ${left === 1 ? 'ist' : 'sind'} ${kept} im neuen Stand, ${german.format(difference.added)} sind neu. Kanäle würden die Artikel unter den alten Nummern löschen und unter den neuen anlegen. Bitte prüfen Sie, ob der Lieferant die Nummern geändert hat (auch Leerzeichen, Groß- und Kleinschreibung) oder das Schlüsselfeld ein anderes sein muss. Geben Sie den Stand nur frei, wenn es wirklich andere Artikel sind.`;
}

/** DIF-02: percentages of the accepted state's items; with no_action the selects are hidden and ignored. */
function thresholdReasons(settings: DifferenceSettings, { before, difference }: DifferenceFacts): string[] {
  const { action_on_difference: action, neg_difference: negative, pos_difference: positive } = settings;
  if (action === 'no_action' || difference === null) return [];
  const sentence = (count: number, limit: number, word: string) => {
    const share = (count / before) * 100;
    return limit > 0 && share >= limit
      ? [`${german.format(count)} Artikel (${german.format(share)} %) ${word}; erlaubt sind weniger als ${limit} %.`]
      : [];
  };
  return [
    ...sentence(difference.removed, negative, 'entfallen'),
    ...sentence(difference.added, positive, 'kommen neu hinzu'),
  ];
}

const graveDrifts = ({ drifts }: DifferenceFacts): string[] =>
  drifts.filter(({ grave }) => grave).map(({ sentence }) => sentence);
