import { z } from 'zod';
import { permissions } from '#shared/http/call.ts';
import { accountEmail } from './email.ts';
import { roleNames } from './roles.ts';

export const Credentials = z
  .object({ email: z.string().trim().min(3).max(254), password: z.string().min(1).max(1000) })
  .meta({ id: 'Credentials' });

export const Session = z
  .object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    company: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(roleNames),
    permissions: z.array(z.enum(permissions)),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/**
 * Length only: no character classes are required. 12 is more than the 8 of NIST 800-63B and ASVS 6.2.1; the longest fits any
 * sentence.
 */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;
export const Password = z
  .string()
  .min(PASSWORD_LENGTH.min, 'Das Passwort braucht mindestens 12 Zeichen.')
  .max(PASSWORD_LENGTH.max, 'Das Passwort darf höchstens 128 Zeichen haben.');
/** A password that is verified, not chosen: it may be shorter than the present minimum. */
export const GivenPassword = z.string().min(1, 'Bitte geben Sie Ihr Passwort ein.').max(1000);
export const Email = accountEmail('Bitte geben Sie eine E-Mail-Adresse an.');
export const PersonName = z.string().trim().min(1, 'Bitte geben Sie einen Namen an.').max(100);

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roleNames),
    /** The permissions it has out of its role; at each call limited to those its creator has then. */
    permissions: z.array(z.enum(permissions)),
    /** Who created it; '' for the installation's own. */
    maker: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    /** null: the installation's own token, valid as long as it is in KONTOR_API_TOKEN. */
    expiresAt: z.string().nullable(),
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof Token>;
/** Longest validity of a token. */
export const MOST_TOKEN_DAYS = 366;
/** Strict: a token must not live longer, or may more, than a caller with another name for it believes. */
export const NewToken = z.strictObject({
  name: z.string().trim().min(1).max(100),
  role: z.enum(roleNames),
  /** Absent: all permissions of the role. */
  permissions: z.array(z.enum(permissions)).max(20).optional(),
  /** The last day on which it is valid, at most 366 days from now; absent: a year from now. */
  lastDay: z.iso.date().optional(),
});

export const Invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(roleNames),
    invitedBy: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;
/**
 * A single-use link for one person. `sent`: it was sent by e-mail; otherwise it must be handed over, and `problem` says why it
 * was not sent.
 */
export const PersonalLink = z
  .object({ sent: z.boolean(), link: z.string().nullable(), problem: z.string() })
  .meta({ id: 'PersonalLink' });
export type PersonalLink = z.infer<typeof PersonalLink>;

/**
 * How a company's users sign in. `sellerAccount`: an active one exists, which requires a second factor; `mail`: links can be sent
 * by e-mail.
 */
export const SignInPolicy = z.object({ factorRequired: z.boolean(), sellerAccount: z.boolean(), mail: z.boolean() });
export type SignInPolicy = z.infer<typeof SignInPolicy>;

/** A session of one's own account. `own`: the session of this request. */
export const OpenSession = z
  .object({
    id: z.string(),
    own: z.boolean(),
    createdAt: z.string(),
    lastUsedAt: z.string(),
    address: z.string(),
    device: z.string(),
  })
  .meta({ id: 'OpenSession' });
export type OpenSession = z.infer<typeof OpenSession>;

export const Member = z
  .object({ id: z.string(), name: z.string(), email: z.string(), role: z.enum(roleNames) })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;
