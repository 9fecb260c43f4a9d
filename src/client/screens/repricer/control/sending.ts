import type { RepricerState } from '#shared/repricer/state.ts';

/** Whether prices are sent, with every reason against it, the strongest first. */
export type Sending = { tone: 'red' | 'yellow' | 'green' | 'gray'; text: string };

export type SendingFacts = {
  /** A rule is active and complete. */
  running: boolean;
  /** The catalogue is sold with an account at a marketplace. */
  sold: boolean;
};

export function sendingOf(state: RepricerState, { running, sold }: SendingFacts): Sending[] {
  const against: [boolean, Sending][] = [
    [state.system_stopped, { tone: 'red', text: 'Vom Betreiber angehalten: es wird nichts gesendet' }],
    [
      state.outgoing_held,
      {
        tone: 'red',
        text: 'Nach einer Wiederherstellung angehalten, bis der Betreiber freigibt: es wird nichts gesendet',
      },
    ],
    [state.company_stopped, { tone: 'red', text: 'Notaus der Firma: es wird nichts gesendet' }],
    [state.stopped, { tone: 'red', text: 'Notaus: es wird nichts gesendet' }],
    [state.breakers.length > 0, { tone: 'red', text: 'Sicherung ausgelöst: es wird nichts gesendet' }],
    [state.fields.kind === 'failed', { tone: 'red', text: 'Preisfelder fehlen: es wird kein Preis geändert' }],
    [state.fields.kind === 'building', { tone: 'yellow', text: 'Preisfelder werden berechnet: Preise warten' }],
    [
      state.restore !== null,
      { tone: 'yellow', text: 'Letzte gute Preise werden wiederhergestellt und gehalten: die Regeln ruhen' },
    ],
    [!state.active, { tone: 'gray', text: 'Ausgeschaltet: es wird nichts entschieden und nichts gesendet' }],
    [state.active && state.dry_run, { tone: 'yellow', text: 'Probelauf: es wird nichts gesendet' }],
    [
      state.active && !running && state.restore === null,
      { tone: 'gray', text: 'Keine aktive Regel: es wird kein Preis geändert' },
    ],
    [state.active && !sold, { tone: 'gray', text: 'Kein Konto bei einem Marktplatz: es wird kein Preis gesendet' }],
  ];
  const found = against.flatMap(([holds, sending]) => (holds ? [sending] : []));
  return found.length > 0 ? found : [{ tone: 'green', text: 'Aktiv: Preise werden gesendet' }];
}
