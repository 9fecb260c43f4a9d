import { Button, Modal, TextInput } from '@mantine/core';
import IconFingerprint from 'virtual:icons/fingerprint';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { Factors, Proof } from '#shared/account/factors.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { answerWithPasskey } from './passkeys.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PasswordField } from '#client/ui/form/password-field.tsx';

/** Asks for the password or a second factor; meanwhile the call that needs it waits. */
export function ProofDialog({ opened, onAnswer }: { opened: boolean; onAnswer: (given: boolean) => void }) {
  return (
    <Modal
      opened={opened}
      onClose={() => onAnswer(false)}
      closeOnEscape={false}
      zIndex={400}
      title={<span className="k-strong">Bitte bestätigen Sie, dass Sie es sind</span>}
      withCloseButton={false}
    >
      <ProofForm onProven={() => onAnswer(true)} onCancel={() => onAnswer(false)} />
    </Modal>
  );
}

function ProofForm({ onProven, onCancel }: { onProven: () => void; onCancel: () => void }) {
  const [factors, setFactors] = useState<Factors | null>(null);
  const [byCode, setByCode] = useState(false);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    // If the factors cannot be loaded, the password still works.
    call(api.factors).then(setFactors, () => setFactors(null));
  }, []);
  const prove = async (proof: () => Promise<Proof>) => {
    setBusy(true);
    setFailure(null);
    try {
      await call(api.prove, { body: await proof() });
      onProven();
    } catch (error) {
      setFailure({ ...failureOf('Fehler beim Anmelden', error), title: 'Das hat nicht geklappt' });
      setText('');
    } finally {
      setBusy(false);
    }
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    // React may render this form inside a page's form, whose submit must not fire.
    event.stopPropagation();
    void prove(() => Promise.resolve(byCode ? { code: text } : { password: text }));
  };
  return (
    <form className="k-stack" onSubmit={send}>
      <p>Sie ändern etwas Vertrauliches. Was Sie eingegeben haben, bleibt stehen und wird danach gespeichert.</p>
      <ErrorNotice failure={failure} />
      {factors !== null && factors.passkeys.length > 0 && (
        <Button
          disabled={busy}
          leftSection={<IconFingerprint size={18} aria-hidden />}
          onClick={() => void prove(answerWithPasskey)}
        >
          Mit Passkey bestätigen
        </Button>
      )}
      {byCode ? (
        <TextInput
          label="Code der Authenticator-App"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          withAsterisk={false}
          maxLength={40}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : (
        <PasswordField
          label="Ihr Passwort"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {factors?.app === true && (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            setByCode(!byCode);
            setText('');
          }}
        >
          {byCode ? 'Passwort verwenden' : 'Code der App verwenden'}
        </Button>
      )}
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onCancel}>
          Abbrechen
        </Button>
        <Button type="submit" loading={busy}>
          Bestätigen
        </Button>
      </div>
    </form>
  );
}
