import type { SecurityKind } from '#shared/http/call.ts';
import type { SecurityEvent, SecurityResult } from './security-log.ts';

/** German labels of the security log, on the page and in its file. */
export const kindLabels = {
  sign_in: 'Anmeldung',
  sign_out: 'Abmeldung',
  proof: 'Bestätigung der Person',
  session: 'Sitzung beendet',
  password: 'Passwort',
  factor: 'Zweiter Faktor',
  token: 'API-Zugang',
  member: 'Benutzer',
  secret: 'Zugangsdaten',
  download: 'Download',
  release: 'Freigabe',
  prices: 'Preise',
  persons: 'Kundendaten',
  settings: 'Firmeneinstellung',
  deletion: 'Löschung',
  operation: 'Betrieb',
  access: 'Abgewiesener Zugriff',
} as const satisfies Record<SecurityKind, string>;

export const resultLabels = {
  done: 'erfolgt',
  begun: 'angefordert',
  refused: 'abgelehnt',
  failed: 'gescheitert',
} as const satisfies Record<SecurityResult, string>;

export const byLabels = {
  session: 'angemeldet',
  token: 'API-Zugang',
  nobody: 'nicht angemeldet',
} as const satisfies Record<SecurityEvent['by'], string>;
