import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { Ok } from '#shared/http/call-parts.ts';
import { FactorCode, FactorWanted, PasskeyProof, PasskeyQuestion, Ticket } from './factors.ts';
import { roleNames } from './roles.ts';
import { Credentials, Email, Password, PersonName, Session } from './schema.ts';

/** Secret of a mailed link; a truncated one is unknown and reported like an expired one. */
const LinkSecret = z.string().max(200);

/** Calls that need no session. */
export const signInCalls = {
  signIn: {
    method: 'POST',
    path: '/api/session',
    summary:
      'Anmelden; wo ein zweiter Faktor eingerichtet ist, kommt statt der Sitzung ein Ticket für den zweiten Schritt',
    access: 'public',
    body: Credentials,
    response: z.union([Session, FactorWanted]),
  },
  signInFactor: {
    method: 'POST',
    path: '/api/session/factor',
    summary: 'Zweiter Schritt der Anmeldung: Code der App oder Wiederherstellungscode',
    access: 'public',
    body: z.object({ ticket: Ticket, code: FactorCode }),
    response: Session,
  },
  passkeyQuestion: {
    method: 'POST',
    path: '/api/session/passkey/question',
    summary: 'Frage an einen Passkey, zum Anmelden oder Bestätigen',
    access: 'public',
    response: PasskeyQuestion,
  },
  signInPasskey: {
    method: 'POST',
    path: '/api/session/passkey',
    summary: 'Mit Passkey anmelden',
    access: 'public',
    body: PasskeyProof,
    response: Session,
  },
  session: {
    method: 'GET',
    path: '/api/session',
    summary: 'Aktuelle Sitzung',
    access: 'enter',
    withoutFactor: true,
    response: Session,
  },
  signOut: {
    security: 'sign_out',
    method: 'DELETE',
    path: '/api/session',
    summary: 'Abmelden',
    access: 'public',
    response: Ok,
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/password/forgotten',
    summary: 'Link zum Zurücksetzen des Passworts anfordern; die Antwort ist für jede Adresse dieselbe',
    access: 'public',
    body: z.object({ email: Email }),
    response: Ok,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/password/reset',
    summary: 'Neues Passwort mit dem Link aus der E-Mail; beendet alle Sitzungen und meldet nicht an',
    access: 'public',
    body: z.object({ token: LinkSecret, password: Password }),
    response: Ok,
  },
  readInvitation: {
    method: 'POST',
    path: '/api/invitations/read',
    summary: 'Wozu ein Einladungslink einlädt',
    access: 'public',
    body: z.object({ token: LinkSecret }),
    response: z.object({ companyName: z.string(), email: z.string(), role: z.enum(roleNames) }),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/invitations/accept',
    summary: 'Einladung annehmen: Name und Passwort wählen; danach ist man angemeldet',
    access: 'public',
    body: z.object({ token: LinkSecret, name: PersonName, password: Password }),
    response: Session,
  },
} as const satisfies Record<string, Call>;
