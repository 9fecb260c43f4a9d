import { z } from 'zod';
import * as account from './schema.ts';
import type { Call } from '#shared/http/call.ts';
import { exportid, Ok } from '#shared/http/call-parts.ts';

export const accountCalls = {
  signIn: {
    method: 'POST',
    path: '/api/session',
    summary: 'Anmelden',
    access: 'public',
    body: account.Credentials,
    response: account.Session,
  },
  session: {
    method: 'GET',
    path: '/api/session',
    summary: 'Aktuelle Sitzung',
    access: 'enter',
    response: account.Session,
  },
  signOut: { method: 'DELETE', path: '/api/session', summary: 'Abmelden', access: 'public', response: Ok },
  tokens: {
    method: 'GET',
    path: '/api/tokens',
    summary: 'API-Zugänge auflisten',
    access: 'admin',
    response: z.array(account.Token),
  },
  createToken: {
    method: 'POST',
    path: '/api/tokens',
    summary: 'API-Zugang anlegen; das Geheimnis wird nur hier gezeigt',
    access: 'admin',
    body: account.NewToken,
    response: account.Token.extend({ token: z.string() }),
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/tokens/{id}',
    summary: 'API-Zugang löschen',
    access: 'admin',
    params: exportid,
    response: Ok,
  },
  members: {
    method: 'GET',
    path: '/api/members',
    summary: 'Benutzer der Firma',
    access: 'admin',
    response: z.array(account.Member),
  },
  createMember: {
    method: 'POST',
    path: '/api/members',
    summary: 'Benutzer anlegen',
    access: 'admin',
    body: account.NewMember,
    response: account.Member,
  },
  deleteMember: {
    method: 'DELETE',
    path: '/api/members/{id}',
    summary: 'Benutzer aus der Firma entfernen',
    access: 'admin',
    params: exportid,
    response: Ok,
  },
  examples: {
    method: 'GET',
    path: '/api/examples',
    summary: 'Ob die Firma noch die Beispieldaten des ersten Starts enthält',
    access: 'read',
    response: z.object({ present: z.boolean() }),
  },
  removeExamples: {
    method: 'DELETE',
    path: '/api/examples',
    summary: 'Beispieldaten entfernen: löscht alle Daten der Firma außer Benutzern und API-Zugängen, ohne Rückweg',
    access: 'admin',
    response: Ok,
  },
} as const satisfies Record<string, Call>;
