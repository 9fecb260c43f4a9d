import { Button, TextInput } from '@mantine/core';
import IconFingerprint from 'virtual:icons/fingerprint';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { FactorWanted } from '#shared/account/factors.ts';
import type { Failure } from '#client/failure.ts';
import { SignInFrame } from './sign-in-frame.tsx';

type SecondStepProps = {
  wanted: FactorWanted;
  failure: Failure | null;
  busy: boolean;
  onCode: (code: string) => Promise<void>;
  onPasskey: () => Promise<void>;
  onBack: () => void;
};

/** Asks for the second factor after a correct password. A recovery code replaces any of them. */
export function SecondStep({ wanted, failure, busy, onCode, onPasskey, onBack }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [digits, setDigits] = useState(wanted.app);
  const field = useRef<HTMLInputElement>(null);
  // The password form has disappeared, and the focus with it.
  useEffect(() => field.current?.focus(), []);
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void onCode(code).then(() => setCode(''));
  };
  return (
    <SignInFrame title="Zweiter Faktor" failure={failure} onSubmit={send}>
      {wanted.passkey && (
        <Button
          disabled={busy}
          fullWidth
          leftSection={<IconFingerprint size={18} aria-hidden />}
          onClick={() => void onPasskey()}
        >
          Mit Passkey bestätigen
        </Button>
      )}
      <TextInput
        label="Code"
        description={
          digits
            ? 'Die sechs Ziffern Ihrer Authenticator-App. Ein Wiederherstellungscode geht auch.'
            : `Ohne ${wanted.app ? 'Ihre App' : 'Ihren Passkey'} geht es mit einem Wiederherstellungscode.`
        }
        name="code"
        inputMode={digits ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        ref={field}
        required
        withAsterisk={false}
        maxLength={40}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <Button type="submit" variant={wanted.passkey ? 'default' : 'filled'} loading={busy} fullWidth>
        Anmelden
      </Button>
      {digits && (
        <Button
          variant="subtle"
          disabled={busy}
          fullWidth
          // Until then a phone shows only its numeric keyboard.
          onClick={() => {
            setDigits(false);
            field.current?.focus();
          }}
        >
          Wiederherstellungscode eingeben
        </Button>
      )}
      <Button variant="subtle" disabled={busy} onClick={onBack} fullWidth>
        Zurück
      </Button>
    </SignInFrame>
  );
}
