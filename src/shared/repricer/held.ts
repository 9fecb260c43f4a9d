/** German texts of why a decided price was not sent: the gate's reasons and those of the outbox. */
export const heldReasons = {
  RULE_PAUSED: 'Regel pausiert',
  ADDON_OFF: 'Repricer ausgeschaltet',
  STOPPED: 'Notaus',
  BREAKER: 'Sicherung ausgelöst',
  SAFETY_WRONG: 'Werte der Sicherungen sind unbrauchbar',
  SALES_ALARM: 'Verkaufsalarm, ungewöhnlich viele Bestellungen nach einer Preissenkung',
  LIMITS_MISSING: 'Preisgrenzen fehlen oder sind unglaubwürdig',
  LIMITS_CHANGED: 'Preisgrenzen seit der Entscheidung geändert',
  LISTING_CHANGED: 'Eigenes Angebot (Konto, SKU oder Währung) seit der Entscheidung geändert',
  LIMITS_MOVED: 'Preisgrenzen stark geändert',
  SNAPSHOT_OLD: 'Artikeldaten zu alt',
  PRICE_WRONG: 'Preis ist keine ganze Zahl von Cent',
  OUT_OF_BOUNDS: 'Preis außerhalb der Grenzen',
  OFFERS_OLD: 'Angebotsdaten zu alt',
  OFFERS_FUTURE: 'Angebotsdaten aus der Zukunft',
  OFFERS_SUPERSEDED: 'Es gibt neuere Angebotsdaten',
  TARGET_IMPLAUSIBLE: 'Preis des Wettbewerbers unglaubwürdig',
  IN_FLIGHT: 'Vorige Änderung noch nicht bestätigt',
  TOO_SOON: 'Vorige Änderung zu kurz her',
  TOO_OFTEN: 'Zu viele Änderungen',
  OSCILLATING: 'Preis pendelt',
  DAY_FALL: 'Preis an einem Tag zu stark gefallen',
  STEP_PAUSE: 'Nächster Schritt folgt später',
  CANARY: 'Neue Regel: erst ein Teil der Artikel',
  DRY_RUN: 'Probelauf',
  ACCOUNT_GONE: 'Konto beim Marktplatz gelöscht',
  SUPERSEDED: 'Durch eine neuere Entscheidung ersetzt',
} as const satisfies Record<string, string>;

export const heldLabel = (code: string): string =>
  Object.entries(heldReasons).find(([known]) => known === code)?.[1] ?? code;
