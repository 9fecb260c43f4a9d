import { describe, expect, it } from 'vitest';
import type { RepricerState } from '#shared/repricer/state.ts';
import { sendingOf } from './sending.ts';

const state = (part: Partial<RepricerState> = {}): RepricerState => ({
  active: true,
  dry_run: false,
  stopped: false,
  order: [],
  revision: 1,
  company_stopped: false,
  system_stopped: false,
  outgoing_held: false,
  breakers: [],
  alarms: [],
  alarms_total: 0,
  restore: null,
  fields: { kind: 'ready', since: null, again: null, message: null },
  moved_limits: null,
  limits_version: '',
  ...part,
});

const working = { running: true, sold: true };

describe('the status of price sending', () => {
  it('REP-19 says "active" only if nothing prevents sending, else lists everything that does', () => {
    expect(sendingOf(state(), working)).toEqual([{ tone: 'green', text: 'Aktiv: Preise werden gesendet' }]);
    expect(sendingOf(state({ dry_run: true }), working).map(({ text }) => text)).toEqual([
      'Probelauf: es wird nichts gesendet',
    ]);
    expect(
      sendingOf(state({ stopped: true, company_stopped: true }), { running: false, sold: true }).map(
        ({ tone }) => tone,
      ),
    ).toEqual(['red', 'red', 'gray']);
    expect(sendingOf(state({ active: false, dry_run: true }), working)).toHaveLength(1);
    expect(sendingOf(state({ outgoing_held: true }), working)).toEqual([
      {
        tone: 'red',
        text: expect.stringMatching(/^Nach einer Wiederherstellung angehalten.*: es wird nichts gesendet$/),
      },
    ]);
    const fields = { ...state().fields, kind: 'failed' as const };
    expect(sendingOf(state({ fields }), working).map(({ tone }) => tone)).toEqual(['red']);
  });

  it('REP-19 does not say that prices are sent for a catalogue without an account', () => {
    const unsold = { running: true, sold: false };
    expect(sendingOf(state(), unsold)).toEqual([
      { tone: 'gray', text: 'Kein Konto bei einem Marktplatz: es wird kein Preis gesendet' },
    ]);
    expect(sendingOf(state({ active: false }), unsold)).toHaveLength(1);
  });
});
