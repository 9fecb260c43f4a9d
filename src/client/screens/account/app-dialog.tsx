import { Button, Modal, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { QrCode } from '#client/ui/qr-code.tsx';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './account.module.css';

type AppDialogProps = {
  started: AnswerOf<typeof api.startApp>;
  onClose: () => void;
  /** Called with the recovery codes if these are the first. */
  onDone: (codes: readonly string[]) => void;
};

/** Shows the secret for an authenticator app and verifies its first code. */
export function AppDialog({ started, onClose, onDone }: AppDialogProps) {
  useFocusBack();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const confirm = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      onDone((await call(api.confirmApp, { body: { code } })).recoveryCodes);
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      setCode('');
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<span className="k-strong">Authenticator-App einrichten</span>}
    >
      <form className="k-stack" onSubmit={(event) => void confirm(event)}>
        <ErrorNotice failure={failure} />
        <p>Lesen Sie diesen Code mit Ihrer App ein, und geben Sie dann die sechs Ziffern ein, die sie zeigt.</p>
        <div>
          <QrCode text={started.uri} label="QR-Code für die Authenticator-App" />
        </div>
        <p className="k-small">
          Oder tippen Sie das Geheimnis ab:{' '}
          <span className={classes.secret}>{started.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</span>
        </p>
        <TextInput
          label="Code der App"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={7}
          data-autofocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy}>
            Einrichten
          </Button>
        </div>
      </form>
    </Modal>
  );
}
