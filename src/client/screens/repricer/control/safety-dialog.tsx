import { Button, Textarea } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { lessSafe, normalSafety, PriceSafety, safetyChanges, type SafetyState } from '#shared/repricer/safety.ts';
import { call } from '#client/call.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import type { Failure } from '#client/failure.ts';
import { saveFailureOf } from '#client/editor/save-failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useLive } from '#client/use-live.ts';
import { differs, otherWords, rebased, type SafetyDraft } from './safety-draft.ts';
import { SafetyFields } from './safety-fields.tsx';
import classes from '#client/screens/repricer/repricer.module.css';
import controlClasses from './control.module.css';

type SafetyDialogProps = { masterid: string; opened: boolean; onClose: () => void };

/** The limits of the safety checks for this catalogue. A change that makes them less strict needs a second confirmation. */
export function SafetyDialog({ masterid, opened, onClose }: SafetyDialogProps) {
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog opened={opened} dirty={dirty} onClose={onClose} size="xl" title="Sicherungen einstellen">
      <Loaded masterid={masterid} onDirty={setDirty} onDone={onClose} />
    </FormDialog>
  );
}

type LoadedProps = { masterid: string; onDirty: (dirty: boolean) => void; onDone: () => void };

function Loaded({ masterid, ...rest }: LoadedProps) {
  const params = useMemo(() => ({ masterid }), [masterid]);
  const { answer, failure, retry } = useLive(params, (signal) => call(api.priceSafety, { params, signal }), {
    delay: 0,
  });
  if (answer === null)
    return failure === null ? <p role="status">Wird geladen …</p> : <ErrorNotice failure={failure} onRetry={retry} />;
  return <Form masterid={masterid} loaded={answer} {...rest} />;
}

function Form({ masterid, loaded: first, onDirty, onDone }: LoadedProps & { loaded: SafetyState }) {
  const [loaded, setLoaded] = useState(first);
  const [draft, setDraft] = useState<SafetyDraft>(loaded.figures);
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  useTellDirty(onDirty, differs(draft, loaded.figures));
  /** Undefined while a field is invalid; the field shows that itself. */
  const figures = PriceSafety.safeParse(draft).data;
  const less = figures === undefined ? [] : lessSafe(loaded.figures, figures);
  const change = (next: SafetyDraft) => {
    setDraft(next);
    setConfirming(false);
  };
  /** Continues from another user's save: with the old revision no save would ever succeed. */
  const afterConflict = async (failed: Failure): Promise<Failure> => {
    const now = await call(api.priceSafety, { params: { masterid } }).catch(() => null);
    if (now === null) return failed;
    setLoaded(now);
    setDraft(rebased(draft, loaded.figures, now.figures));
    return { ...failed, message: otherWords(loaded.figures, now.figures) };
  };
  const save = async (reason: string) => {
    if (figures === undefined) return;
    setBusy(true);
    setFailure(null);
    try {
      const body = { figures, confirmed: reason !== '', reason };
      await call(api.savePriceSafety, { params: { masterid }, body, ifMatch: loaded.revision });
      showSaved('Gespeichert');
      onDone();
    } catch (error) {
      const failed = saveFailureOf(error);
      setFailure(failed.conflict ? await afterConflict(failed) : failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="k-stack">
      <p>
        Diese Werte halten Preise dieses Katalogs an, bevor sie den Marktplatz erreichen. Mindest- und Maximalpreis
        gelten immer, auch darüber hinaus.
      </p>
      {!loaded.readable && (
        <p role="alert" className={classes.missing}>
          Die gespeicherten Werte lassen sich nicht lesen: es wird kein Preis gesendet. Hier stehen die üblichen Werte;
          bitte prüfen und speichern Sie sie.
        </p>
      )}
      <SafetyFields draft={draft} saved={loaded.figures} onChange={change} />
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {confirming && figures !== undefined && less.length > 0 ? (
        <LessSafe
          changes={safetyChanges(
            { ...figures, ...Object.fromEntries(less.map((name) => [name, loaded.figures[name]])) },
            figures,
          )}
          busy={busy}
          onBack={() => setConfirming(false)}
          onConfirm={(reason) => void save(reason)}
        />
      ) : (
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <HistoryLink subject="price_safety" scope={`master:${masterid}`} />
          <span style={{ flex: 1 }} />
          <Button variant="default" disabled={!differs(draft, normalSafety)} onClick={() => change(normalSafety)}>
            Übliche Werte
          </Button>
          <Button
            disabled={figures === undefined || (loaded.readable && !differs(draft, loaded.figures))}
            loading={busy}
            onClick={() => (less.length > 0 ? setConfirming(true) : void save(''))}
          >
            Speichern
          </Button>
        </div>
      )}
    </div>
  );
}

type LessSafeProps = {
  changes: readonly string[];
  busy: boolean;
  onBack: () => void;
  onConfirm: (reason: string) => void;
};

/** The second confirmation, with a reason for the history. */
function LessSafe({ changes, busy, onBack, onConfirm }: LessSafeProps) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // The question appears below many fields: after the button was pressed, the user must see it.
  useEffect(() => field.current?.focus(), []);
  const confirm = () => {
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') onConfirm(reason.trim());
  };
  return (
    <section className="k-stack" aria-label="Weniger sicher speichern?">
      <div role="alert">
        <p className="k-strong">Ihre Preise sind danach weniger gesichert als bisher:</p>
        <ul className={controlClasses.reasons}>
          {changes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
      <Textarea
        label="Grund"
        description="Er steht im Verlauf neben Ihrem Namen."
        required
        ref={field}
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={missing ? 'Bitte nennen Sie einen Grund.' : undefined}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onBack}>
          Zurück
        </Button>
        <Button color="red.9" loading={busy} onClick={confirm}>
          Trotzdem speichern
        </Button>
      </div>
    </section>
  );
}
