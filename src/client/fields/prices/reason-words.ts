import type { PriceDecision } from '#shared/repricer/history.ts';
import { moneyText } from '#shared/values/money-text.ts';

/** Returns the result of the arithmetic and its reason as one sentence; says so if the price is left unchanged. */
export function reasonSentence({ reason, price_cents, arithmetic: sum }: PriceDecision, currency: string): string {
  const price = moneyText(price_cents, currency);
  const computed = moneyText(sum.computed_cents, currency);
  const min = moneyText(sum.min_cents, currency);
  switch (reason) {
    case 'HOLD_RULE_PAUSED':
      return 'Die Regel ist pausiert; der Preis wird nicht angefasst.';
    case 'HOLD_RULE_INCOMPLETE':
      return 'Die Regel ist unvollständig; der Preis wird nicht angefasst.';
    case 'HOLD_ITEM_EXCLUDED':
      return 'Eine Master-Regel schließt den Artikel aus; der Preis wird nicht angefasst.';
    case 'HOLD_FIELDS_FAILED':
      return 'Die Master-Regeln und Mappings ließen sich nicht ausrechnen; ohne sie wird kein Preis angefasst. Es wird von selbst wieder versucht.';
    case 'HOLD_BOUNDS_INVALID':
      return 'Ohne lesbare Preisgrenzen wird der Preis nicht angefasst.';
    case 'HOLD_BOUNDS_INVERTED':
      return 'Der Mindestpreis liegt über dem Maximalpreis; der Preis wird nicht angefasst.';
    case 'HOLD_NO_OFFER_DATA':
      return 'Ohne Angebotsdaten wird der Preis nicht angefasst.';
    case 'HOLD_OWN_SHIPPING_UNKNOWN':
      return 'Die eigenen Versandkosten sind unbekannt; der Preis wird nicht angefasst.';
    case 'NO_COMPETITION':
      return `Es gibt keinen Wettbewerber: ${price}.`;
    case 'OWN_BUYBOX_HOLD':
      return `Die BuyBox gehört Ihnen; der Preis bleibt bei ${price}.`;
    case 'BELOW_MIN_TO_MIN':
      return `${computed} läge unter dem Mindestpreis; es gilt der Mindestpreis ${price}.`;
    case 'BELOW_MIN_TO_STANDARD':
      return `${computed} läge unter dem Mindestpreis ${min}; es gilt der Standardpreis ${price}.`;
    case 'BELOW_MIN_NEXT_SELLER':
      return `${computed} läge unter dem Mindestpreis ${min}; gegen den nächstbesten Verkäufer ergibt sich ${price}.`;
    case 'BELOW_MIN_NO_NEXT':
      return `${computed} läge unter dem Mindestpreis ${min}, und kein weiterer Verkäufer kommt in Frage: ${price} wie ohne Wettbewerb.`;
    case 'CAPPED_AT_MAX':
      return `${computed} läge über dem Maximalpreis; es gilt der Maximalpreis ${price}.`;
    case 'COMPETE_LOWEST':
      return `Gerechnet gegen den günstigsten Wettbewerber ergibt sich ${price}.`;
    case 'COMPETE_BUYBOX':
      return `Gerechnet gegen den Inhaber der BuyBox ergibt sich ${price}.`;
    case 'RESTORED':
      return `Der letzte gute Preis wird wiederhergestellt: ${price}. Die Regel gibt nur die Grenzen.`;
    case 'HOLD_RESTORE_BOUNDS':
      return 'Der letzte gute Preis liegt außerhalb der heutigen Grenzen; der Preis wird nicht angefasst.';
    case 'HOLD_CURRENCY':
      return 'Die Preisgrenzen dieses Katalogs sind in einer anderen Währung als das Angebot; der Preis wird nicht angefasst. Bepreisen Sie diesen Marktplatz aus einem eigenen Katalog, dessen Preisfelder in seiner Währung sind.';
    case 'BUYBOX_NONE_LOWEST':
      return `Niemand hat die BuyBox; gerechnet wird gegen den günstigsten Wettbewerber: ${price}.`;
  }
}
