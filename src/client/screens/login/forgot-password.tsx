import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Requests a link for a new password. The response is the same for every address. */
export default function ForgotPassword() {
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await call(api.forgotPassword, { body: { email } });
      setSent(true);
    } catch (error) {
      setFailure({ ...failureOf('Fehler beim Anmelden', error), title: 'Der Link konnte nicht angefordert werden' });
    } finally {
      setBusy(false);
    }
  };
  const back = (
    <p className="k-small">
      <Link to={pages.login.path}>Zurück zur Anmeldung</Link>
    </p>
  );
  if (sent)
    return (
      <SignInFrame title="Bitte sehen Sie in Ihr Postfach">
        <p>
          Wenn es zu <strong>{email}</strong> ein Konto gibt, ist jetzt eine E-Mail mit einem Link unterwegs. Er gilt 30
          Minuten.
        </p>
        <p className="k-muted k-small">
          Kommt nichts an? Dann kann Ihr Kontor vielleicht keine E-Mail senden. Bitten Sie den Inhaber oder einen
          Administrator Ihrer Firma um einen Link.
        </p>
        {back}
      </SignInFrame>
    );
  return (
    <SignInFrame title={pages.forgotPassword.title} failure={failure} onSubmit={(event) => void send(event)}>
      <p className="k-muted">Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.</p>
      <TextInput
        label="E-Mail-Adresse"
        type="email"
        name="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Button type="submit" loading={busy} fullWidth>
        Link anfordern
      </Button>
      {back}
    </SignInFrame>
  );
}
