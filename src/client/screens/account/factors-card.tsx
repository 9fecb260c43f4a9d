import { Button, Modal, TextInput } from '@mantine/core';
import IconDeviceMobile from 'virtual:icons/device-mobile';
import IconFingerprint from 'virtual:icons/fingerprint';
import IconKey from 'virtual:icons/key';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Factors, Passkey } from '#shared/account/factors.ts';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { makePasskey } from '#client/shell/proof/passkeys.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatDay, formatTime } from '#client/ui/text/formats.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './account.module.css';
import { AppDialog } from './app-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

/** The second factors of the user's own account. */
export function FactorsCard({ factors, children }: { factors: Factors; children?: ReactNode }) {
  const [started, setStarted] = useState<AnswerOf<typeof api.startApp> | null>(null);
  const [naming, setNaming] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const removal = useRemoval<'app' | Passkey>((one) =>
    one === 'app' ? call(api.removeApp) : call(api.removePasskey, { params: { id: one.id } }),
  );
  const attempt = async (work: () => Promise<void>) => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  const done = async (fresh: readonly string[]) => {
    setStarted(null);
    setNaming(false);
    setCodes(fresh);
    if (fresh.length > 0) return;
    showSaved('Eingerichtet');
    await revalidate();
  };
  return (
    <section className="k-card k-stack" aria-labelledby="zweiter-faktor">
      <h2 id="zweiter-faktor">Zweiter Faktor</h2>
      {children}
      <ErrorNotice
        failure={failure ?? removal.failure}
        onClose={() => {
          setFailure(null);
          removal.setFailure(null);
        }}
      />
      <ul className={classes.list}>
        <Entry
          icon={<IconFingerprint size={20} aria-hidden />}
          name="Passkeys"
          text="Fingerabdruck, Gesicht oder PIN Ihres Geräts, oder ein Sicherheitsschlüssel. Am sichersten, und ohne Passwort."
        >
          <Button variant="default" onClick={() => setNaming(true)}>
            Passkey hinzufügen
          </Button>
        </Entry>
        {factors.passkeys.map((passkey) => (
          <Entry
            key={passkey.id}
            name={passkey.name}
            text={`Angelegt am ${formatDay(passkey.createdAt)}, ${passkey.lastUsedAt === null ? 'noch nie benutzt' : `zuletzt benutzt ${formatTime(passkey.lastUsedAt)}`}`}
          >
            <Button size="xs" variant="default" onClick={() => removal.setLeaving(passkey)}>
              Entfernen<span className="k-hidden"> {passkey.name}</span>
            </Button>
          </Entry>
        ))}
        <Entry
          icon={<IconDeviceMobile size={20} aria-hidden />}
          name="Authenticator-App"
          text={factors.app ? 'Eingerichtet.' : 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.'}
        >
          {factors.app ? (
            <Button size="xs" variant="default" onClick={() => removal.setLeaving('app')}>
              Entfernen<span className="k-hidden"> Authenticator-App</span>
            </Button>
          ) : (
            <Button variant="default" onClick={() => void attempt(async () => setStarted(await call(api.startApp)))}>
              App einrichten
            </Button>
          )}
        </Entry>
        {(factors.app || factors.passkeys.length > 0) && (
          <CodesEntry
            left={factors.recoveryCodes}
            onRenew={() => attempt(async () => setCodes((await call(api.renewRecoveryCodes)).recoveryCodes))}
          />
        )}
      </ul>
      {started !== null && (
        <AppDialog started={started} onClose={() => setStarted(null)} onDone={(fresh) => void done(fresh)} />
      )}
      {naming && <PasskeyDialog onClose={() => setNaming(false)} onDone={(fresh) => void done(fresh)} />}
      {codes.length > 0 && (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes([]);
            void revalidate();
          }}
        />
      )}
      <ConfirmDialog
        opened={removal.leaving !== null}
        question={removal.leaving === 'app' ? 'Authenticator-App wirklich entfernen?' : 'Passkey wirklich entfernen?'}
        confirm="Entfernen"
        danger
        onConfirm={removal.remove}
        onClose={() => removal.setLeaving(null)}
      >
        {removal.leaving === 'app' ? 'Ihre Codes gelten' : `„${removal.leaving?.name}“ gilt`} danach nicht mehr für die
        Anmeldung.
      </ConfirmDialog>
    </section>
  );
}

type EntryProps = { icon?: ReactNode; name: string; text: string; children: ReactNode };

function Entry({ icon, name, text, children }: EntryProps) {
  return (
    <li>
      <div style={{ flex: '1 1 240px', minWidth: 0 }}>
        <div className="k-row k-strong">
          {icon}
          {name}
        </div>
        <div className="k-muted k-small">{text}</div>
      </div>
      {children}
    </li>
  );
}

/** Asks first: new codes invalidate the old ones, which the user may have printed. */
function CodesEntry({ left, onRenew }: { left: number; onRenew: () => Promise<void> }) {
  const [confirming, setConfirming] = useState(false);
  const renew = async () => {
    await onRenew();
    setConfirming(false);
  };
  return (
    <Entry
      icon={<IconKey size={20} aria-hidden />}
      name="Wiederherstellungscodes"
      text={`Noch ${left} von 10. Jeder gilt einmal, wenn Sie Ihr Gerät nicht haben.`}
    >
      <Button variant="default" onClick={() => setConfirming(true)}>
        Neue Codes erstellen
      </Button>
      <ConfirmDialog
        opened={confirming}
        question="Wirklich neue Wiederherstellungscodes erstellen?"
        confirm="Erstellen"
        onConfirm={renew}
        onClose={() => setConfirming(false)}
      >
        Ihre bisherigen Codes gelten danach nicht mehr, auch wenn Sie sie ausgedruckt oder gespeichert haben.
      </ConfirmDialog>
    </Entry>
  );
}

function PasskeyDialog({ onClose, onDone }: { onClose: () => void; onDone: (codes: readonly string[]) => void }) {
  useFocusBack();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const make = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      onDone((await makePasskey(name)).recoveryCodes);
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={<span className="k-strong">Passkey hinzufügen</span>}>
      <form className="k-stack" onSubmit={(event) => void make(event)}>
        <ErrorNotice failure={failure} />
        <TextInput
          label="Name"
          description="Woran Sie das Gerät wiedererkennen, zum Beispiel Laptop im Büro."
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Weiter
          </Button>
        </div>
      </form>
    </Modal>
  );
}
