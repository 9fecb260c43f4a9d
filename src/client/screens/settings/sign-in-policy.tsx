import { Switch } from '@mantine/core';
import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { SignInPolicy } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFailure } from '#client/use-failure.ts';

/** How members sign in; the owner decides. */
export function SignInPolicyCard({ policy, owner }: { policy: SignInPolicy; owner: boolean }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const save = async (factorRequired: boolean) => {
    setBusy(true);
    setFailure(null);
    try {
      await call(api.saveSignInPolicy, { body: { factorRequired } });
      showSaved('Gespeichert');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="anmeldung">
      <h2 id="anmeldung">Anmeldung</h2>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {!policy.mail && (
        <p>
          <strong>Es ist kein Mailserver eingerichtet.</strong> Niemand kann ein vergessenes Passwort selbst
          zurücksetzen, und Einladungen geben Sie von Hand weiter.{' '}
          <Link to={pathTo(pages.notificationSettings)}>E-Mail einrichten</Link>
        </p>
      )}
      {policy.sellerAccount && !policy.factorRequired && (
        <p>
          <strong>Ihr Verkäuferkonto braucht einen zweiten Faktor.</strong> Über das aktive Konto kommen Bestellungen
          mit Kundendaten. Amazon verlangt, dass alle, die sie sehen können, sich mit einem zweiten Faktor anmelden.{' '}
          {owner ? 'Bitte schalten Sie ihn hier ein.' : 'Bitte sagen Sie es dem Inhaber: Er schaltet ihn hier ein.'}
        </p>
      )}
      <Switch
        label="Zweiter Faktor erforderlich"
        description={factorText(policy, owner)}
        checked={policy.factorRequired}
        disabled={!owner || busy || (policy.sellerAccount && policy.factorRequired)}
        onChange={({ currentTarget }) => void save(currentTarget.checked)}
      />
    </section>
  );
}

function factorText({ factorRequired, sellerAccount }: SignInPolicy, owner: boolean): string {
  if (sellerAccount && factorRequired)
    return 'Bleibt eingeschaltet, solange ein Verkäuferkonto aktiv ist: Amazon verlangt ihn von allen, die Bestellungen mit Kundendaten sehen können.';
  if (!owner) return 'Das stellt der Inhaber ein.';
  return 'Wer noch keinen hat, richtet ihn bei der nächsten Seite ein und kann bis dahin nichts anderes tun. API-Zugänge gelten weiter. Bevor ein Verkäuferkonto aktiv werden kann, muss er eingeschaltet sein.';
}
