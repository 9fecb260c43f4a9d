import { z } from 'zod';

const encoded = z.string().max(20_000);
const transports = z.array(z.string().max(30)).max(10);
const passkey = {
  id: z.string().min(1).max(1400),
  rawId: z.string().min(1).max(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({ credProps: z.object({ rk: z.boolean().optional() }).optional() }),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
};

/** A new passkey as the browser sends it, in WebAuthn's JSON form. */
export const NewPasskeyAnswer = z.object({
  ...passkey,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: transports.optional(),
  }),
});
/** The answer of a passkey as the browser sends it. */
export const PasskeyAnswer = z.object({
  ...passkey,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.string().max(200).optional(),
  }),
});

const userVerification = z.enum(['required', 'preferred', 'discouraged']);
/** A challenge for a passkey, as WebAuthn's options in JSON; the ticket is returned with the answer. */
export const PasskeyQuestion = z.object({
  ticket: z.string(),
  options: z.object({
    challenge: z.string(),
    timeout: z.number().optional(),
    rpId: z.string().optional(),
    userVerification: userVerification.optional(),
  }),
});
/** Options for the browser to create a new passkey, with a ticket. */
export const NewPasskeyQuestion = z.object({
  ticket: z.string(),
  options: z.object({
    challenge: z.string(),
    rp: z.object({ name: z.string(), id: z.string().optional() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number().optional(),
    excludeCredentials: z.array(z.object({ id: z.string(), type: z.string() })).optional(),
    authenticatorSelection: z
      .object({
        residentKey: userVerification.optional(),
        requireResidentKey: z.boolean().optional(),
        userVerification: userVerification.optional(),
      })
      .optional(),
    attestation: z.enum(['none', 'direct', 'enterprise', 'indirect']).optional(),
  }),
});
export const Ticket = z.string().min(20).max(100);
/** Six digits of an authenticator app, or a recovery code. */
export const FactorCode = z
  .string()
  .trim()
  .min(6, 'Bitte geben Sie den ganzen Code ein: die sechs Ziffern der App oder einen Wiederherstellungscode.')
  .max(40);
export const PasskeyProof = z.object({ ticket: Ticket, answer: PasskeyAnswer });

/**
 * Answer to a correct password if the account has a second factor. `app`: an authenticator app is set up; `passkey`: a passkey
 * is.
 */
export const FactorWanted = z
  .object({ ticket: z.string(), app: z.boolean(), passkey: z.boolean() })
  .meta({ id: 'FactorWanted' });
export type FactorWanted = z.infer<typeof FactorWanted>;

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** The second factors of an account. `recoveryCodes`: unused codes left; `required`: the company requires a second factor. */
export const Factors = z
  .object({
    app: z.boolean(),
    passkeys: z.array(Passkey),
    recoveryCodes: z.number().int(),
    required: z.boolean(),
  })
  .meta({ id: 'Factors' });
export type Factors = z.infer<typeof Factors>;

export const NewRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'NewRecoveryCodes' });

/** A proof of identity in an open session, by any of the ways to sign in. */
export const Proof = z.union([
  z.strictObject({ password: z.string().min(1).max(1000) }),
  z.strictObject({ code: FactorCode }),
  PasskeyProof.strict(),
]);
export type Proof = z.infer<typeof Proof>;
