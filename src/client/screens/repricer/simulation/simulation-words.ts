import { heldLabel } from '#shared/repricer/held.ts';
import type { DecisionReason } from '#shared/repricer/decision.ts';
import { decisionReasons, reasonCodes } from '#shared/repricer/decision.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatChange, formatInteger } from '#client/ui/text/formats.ts';
import type { Simulation } from '#shared/repricer/history.ts';

export type Bar = { reason: DecisionReason; label: string; count: number; share: number; holds: boolean };

/** Returns the frequency of each reason, most frequent first; reasons without items are left out. */
export function barsOf({ reasons, total }: Pick<Simulation, 'reasons' | 'total'>): Bar[] {
  return reasonCodes
    .map((reason) => {
      const count = reasons[reason] ?? 0;
      return {
        reason,
        label: decisionReasons[reason],
        count,
        share: total === 0 ? 0 : count / total,
        holds: reason.startsWith('HOLD_'),
      };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}

/** Says at how many items a rule was not tried out, since no offers are known of them; '' if it was at all of them. */
export function withoutOffers({ reasons, total }: Pick<Simulation, 'reasons' | 'total'>): string {
  const count = reasons['HOLD_NO_OFFER_DATA'] ?? 0;
  if (count === 0) return '';
  return count === total
    ? `Zu keinem dieser Preise (${formatInteger(total)}) sind Angebote bekannt: Die Regel ist damit nicht ausprobiert.`
    : `Zu ${formatInteger(count)} von ${formatInteger(total)} Preisen sind keine Angebote bekannt: Dort ist die Regel nicht ausprobiert, der Preis zählt als gehalten.`;
}

type Row = Simulation['rows'][number];

/** Describes what would happen to a price, in a few words. */
export function outcomeOf({ verdict, held }: Pick<Row, 'verdict' | 'held'>): string {
  switch (verdict) {
    case 'submit':
      return 'würde gesendet';
    case 'step':
      return 'würde in Schritten gesendet';
    case 'unchanged':
      return 'bleibt, wie er ist';
    case 'hold':
      return `gehalten: ${heldLabel(held)}`;
    case 'none':
      return 'kein Preis';
  }
}

/** Formats '+0,50 € (+3,4 %)'; '' if nothing changes or a price is unknown. */
export function changeOf({ old_cents, new_cents }: Pick<Row, 'old_cents' | 'new_cents'>, currency: string): string {
  if (old_cents === null || new_cents === null || old_cents === new_cents) return '';
  const change = new_cents - old_cents;
  const sign = change > 0 ? '+' : '';
  const share = shareOf(change, old_cents);
  return `${sign}${moneyText(change, currency)}${share === null ? '' : ` (${formatChange(share)})`}`;
}

/** Returns a margin's share of the price; null if the price is not positive. */
export const shareOf = (cents: number, price: number): number | null => (price <= 0 ? null : cents / price);
