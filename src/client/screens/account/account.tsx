import { Button, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import IconLogout from 'virtual:icons/logout';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { roles } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { usePreference } from '#client/preferences.ts';
import { useSignOut } from '#client/shell/use-sign-out.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useFailure } from '#client/use-failure.ts';
import classes from './account.module.css';
import { FactorsCard } from './factors-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const [session, sessions, factors] = await Promise.all([ask(api.session), ask(api.sessions), ask(api.factors)]);
  return { session, sessions, factors };
}

/** The signed-in user, display settings, and signing out. */
export default function Account() {
  const { session, sessions, factors } = useLoaderData<typeof loader>();
  const { user, company, role } = session;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const end = useSignOut();

  const signOut = async () => {
    setBusy(true);
    try {
      await end();
    } catch (error) {
      setFailure(failureOf('Fehler beim Abmelden', error));
    } finally {
      setBusy(false);
    }
  };
  const facts = [
    { name: 'Name', value: user.name },
    { name: 'E-Mail-Adresse', value: user.email },
    { name: 'Firma', value: company.name },
    { name: 'Rolle', value: roles[role].label },
  ];
  return (
    <div className="k-stack" style={{ maxWidth: 720 }}>
      <PageHeader title="Konto" />
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <section className="k-card k-stack" aria-label="Anmeldung">
        <dl className={classes.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div>
          <Button
            variant="default"
            leftSection={<IconLogout size={16} aria-hidden />}
            loading={busy}
            onClick={() => void signOut()}
          >
            Abmelden
          </Button>
        </div>
      </section>
      <PasswordCard email={user.email} />
      <FactorsCard factors={factors} />
      <SessionsCard sessions={sessions} />
      <section className="k-card k-stack" aria-labelledby="darstellung">
        <h2 id="darstellung">Darstellung</h2>
        <ColorSchemeChoice />
      </section>
      <section className="k-card k-stack" aria-labelledby="tastatur">
        <h2 id="tastatur">Tastatur</h2>
        <SingleKeysChoice />
      </section>
      <FirstStepsChoice />
    </div>
  );
}

/** WCAG 2.1.4: users of speech input, or who press keys by accident, can switch them off. */
function SingleKeysChoice() {
  const [singleKeys, setSingleKeys] = usePreference('singleKeys');
  return (
    <Switch
      label="Kürzel aus einer einzelnen Taste"
      description="Mit der Taste ? öffnet sich überall die Übersicht der Tastenkürzel, außer beim Schreiben in einem Feld."
      checked={singleKeys !== 'off'}
      onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked ? '' : 'off')}
    />
  );
}

/** Shows the first-steps strip again. */
function FirstStepsChoice() {
  const [closed, setClosed] = usePreference('firstSteps');
  if (closed === '') return null;
  return (
    <section className="k-card k-stack" aria-labelledby="hilfe">
      <h2 id="hilfe">Erste Schritte</h2>
      <p className="k-small k-muted">
        Der Streifen führt Schritt für Schritt zur ersten Datei und verschwindet, sobald es eine gibt. Sie haben ihn
        ausgeblendet.
      </p>
      {/* A full reload: the server loads the strip's data. */}
      <Button
        component="a"
        href={pages.overview.path}
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setClosed('')}
      >
        Erste Schritte wieder zeigen
      </Button>
    </section>
  );
}

function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [known, setKnown] = useState(false);
  // The server does not know the system's colour scheme; the control shows the real value after hydration.
  useEffect(() => setKnown(true), []);
  return (
    <SegmentedControl
      aria-label="Darstellung"
      value={known ? colorScheme : 'auto'}
      onChange={(value) => setColorScheme(value === 'dark' || value === 'light' ? value : 'auto')}
      data={[
        { value: 'auto', label: 'Wie das System' },
        { value: 'light', label: 'Hell' },
        { value: 'dark', label: 'Dunkel' },
      ]}
      style={{ alignSelf: 'flex-start' }}
    />
  );
}
