import { Button } from '@mantine/core';
import IconPower from 'virtual:icons/power';
import { useState } from 'react';
import { type LoaderFunctionArgs, Link, useLoaderData, useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useFailure } from '#client/use-failure.ts';
import { repricerPath } from './repricer-path.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { masterid = '' } = args.params;
  const [state, master] = await Promise.all([
    ask(api.repricerState, { params: { masterid } }),
    ask(api.master, { params: { masterid } }),
  ]);
  return { masterid, name: master.name, active: state.active };
}

/** REP-02: asks before the repricing add-on of a catalogue is switched off. */
export default function DeactivateRepricer() {
  const { masterid, name, active } = useLoaderData<typeof loader>();
  const mayEdit = useMay('prices');
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const back = repricerPath(masterid);
  const deactivate = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await call(api.setRepricerState, { params: { masterid }, body: { active: false } });
      await navigate(back);
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      setBusy(false);
    }
  };
  return (
    <div className="k-stack" style={{ maxWidth: 640, overflowWrap: 'anywhere' }}>
      <PageHeader title={active ? 'Repricer-AddOn wirklich deaktivieren?' : 'Das Repricer-AddOn ist ausgeschaltet'} />
      <div className="k-card k-stack">
        {active ? (
          <p>
            Für den Katalog „{name}“ wird dann kein Preis mehr entschieden und keiner gesendet. Preise, die schon
            gelten, bleiben am Marktplatz stehen. Ihre Regeln bleiben gespeichert; Sie können das AddOn jederzeit wieder
            einschalten.
          </p>
        ) : (
          <p>Für den Katalog „{name}“ wird kein Preis entschieden und keiner gesendet. Ihre Regeln sind gespeichert.</p>
        )}
        <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
        <div className="k-row">
          <Button component={Link} to={back} variant="default">
            {active ? 'Abbrechen' : 'Zum Repricer'}
          </Button>
          {active && mayEdit && (
            <Button
              color="red.9"
              leftSection={<IconPower size={16} aria-hidden />}
              loading={busy}
              onClick={() => void deactivate()}
            >
              Deaktivieren
            </Button>
          )}
        </div>
        {active && !mayEdit && (
          <p className="k-muted">Ausschalten kann das AddOn nur, wer das Recht hat, Preise zu ändern.</p>
        )}
      </div>
    </div>
  );
}
