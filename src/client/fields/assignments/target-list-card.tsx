import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconUpload from 'virtual:icons/upload';
import { useEffect, useRef, useState } from 'react';
import { type ExportTable, exportTables } from '#shared/assignments/schema.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { TargetListInfo, TargetUpload } from '#shared/targets/schema.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FileDrop } from '#client/ui/form/file-drop.tsx';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { uploadTargets } from '#client/sending/upload.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import classes from './target-list-card.module.css';
import type { Targets } from '#client/fields/assignments/lines/use-targets.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type TargetListCardProps = {
  id: string;
  table: ExportTable;
  info: TargetListInfo | undefined;
  masters: readonly Master[];
  targets: Targets;
  mayEdit: boolean;
  onLoaded: () => void;
};

const subjects = { categories: 'category_targets', brands: 'brand_targets', colors: 'color_targets' } as const;

/** CAT-11, BRA-02, COL-01: the channel's target list, and how to load a newer one. */
export function TargetListCard({ id, table, info, masters, targets, mayEdit, onLoaded }: TargetListCardProps) {
  const [opened, setOpened] = useState(false);
  const [result, setResult] = useState<TargetUpload | null>(null);
  const { title } = exportTables[table];
  const loaded = info !== undefined && info.revision > 0;
  return (
    <section className={`k-card k-stack ${classes.list}`} aria-label={`${title} des Kanals`}>
      <div className="k-between">
        <p className="k-small">
          {loaded ? (
            <>
              <b>
                {formatInteger(info.entries)} {title}
              </b>{' '}
              des Kanals aus „{info.source}“
              {info.createdAt === null ? '' : `, geladen ${formatTime(info.createdAt)} von ${info.author}`}
            </>
          ) : (
            <>
              Noch keine {title} geladen. Laden Sie die Liste, die der Kanal veröffentlicht: Aus ihr wird das Ziel
              gewählt.
            </>
          )}
        </p>
        <div className="k-row">
          {loaded && <HistoryLink subject={subjects[table]} scope={`export:${id}`} label="Frühere Listen" size="xs" />}
          {mayEdit && (
            <Button
              size="xs"
              variant={loaded ? 'default' : 'filled'}
              leftSection={<IconUpload size={14} aria-hidden />}
              onClick={() => setOpened(true)}
            >
              Liste laden
            </Button>
          )}
        </div>
      </div>
      <ErrorNotice failure={targets.failure} onRetry={targets.reload} />
      {result !== null && <LoadedNotice result={result} />}
      {opened && (
        <LoadDialog
          id={id}
          table={table}
          masters={masters}
          onLoaded={(answer) => {
            setResult(answer);
            setOpened(false);
            targets.reload();
            onLoaded();
          }}
          onClose={() => setOpened(false)}
        />
      )}
    </section>
  );
}

/** Says why a target picker has nothing to offer. */
export function noTargets({ loading, failure }: Targets, title: string): string {
  if (loading) return 'Die Liste wird geladen …';
  return failure === null ? `Noch keine ${title} geladen` : 'Die Liste ließ sich nicht laden';
}

/** Changes that the new list brought; targets in use that it lacks come first. */
function LoadedNotice({ result }: { result: TargetUpload }) {
  const { entries, added, removed, warnings, vanished } = result;
  return (
    <div role="status">
      <p>
        {formatCount(entries, 'Eintrag', 'Einträge')} geladen: {formatInteger(added)} neu, {formatInteger(removed)}{' '}
        weggefallen. {warnings.join(' ')}
      </p>
      {vanished.length > 0 && (
        <p className="k-row" style={{ flexWrap: 'nowrap', alignItems: 'flex-start' }}>
          <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none' }} />
          <span>
            {formatCount(vanished.length, 'Ziel wird', 'Ziele werden')} noch von Zeilen benutzt, aber die neue Liste
            kennt {vanished.length === 1 ? 'es' : 'sie'} nicht mehr:{' '}
            {vanished
              .slice(0, 5)
              .map(({ name }) => `„${name}“`)
              .join(', ')}
            . Die Zeilen sind unverändert; wählen Sie unter „Ziel gibt es nicht mehr“ neue Ziele.
          </span>
        </p>
      )}
    </div>
  );
}

type LoadDialogProps = {
  id: string;
  table: ExportTable;
  masters: readonly Master[];
  onLoaded: (answer: TargetUpload) => void;
  onClose: () => void;
};

function LoadDialog({ id, table, masters, onLoaded, onClose }: LoadDialogProps) {
  useFocusBack();
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState('');
  const [from, setFrom] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const others = masters.flatMap(({ name, exports }) =>
    exports.filter((one) => one.id !== id).map((one) => ({ value: one.id, label: `${one.name} (${name})` })),
  );
  const loading = useRef<AbortController>(undefined);
  useEffect(() => () => loading.current?.abort(), []);
  const load = async () => {
    setBusy(true);
    setFailure(null);
    const stop = new AbortController();
    loading.current = stop;
    try {
      const list = file !== null ? { file } : url.trim() === '' ? { from } : { url: url.trim() };
      onLoaded(await uploadTargets({ id, table }, list, stop.signal));
    } catch (error) {
      if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Hochladen', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} size={560} title={<span className="k-strong">Liste des Kanals laden</span>}>
      <div className="k-stack">
        <p>
          Die Datei, die der Kanal selbst veröffentlicht: Text mit Kennung und Pfad (Google, Shopify), CSV oder Excel
          mit Kennung und Name, Pfad oder Elternkennung, oder ein JSON-Baum. Auch als .gz. Die bisherige Liste bleibt im
          Verlauf.
        </p>
        <FileDrop
          file={file}
          accept=".txt,.csv,.tsv,.json,.xml,.gz,.zip,.xlsx,.xls,.ods"
          hint="Bis 64 MB"
          onFile={setFile}
        />
        <TextInput
          label="Oder Adresse"
          placeholder="https://…"
          disabled={file !== null}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        {others.length > 0 && (
          <NativeSelect
            label="Oder aus einem anderen Export übernehmen"
            disabled={file !== null || url.trim() !== ''}
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            data={[{ value: '', label: 'Export wählen' }, ...others]}
          />
        )}
        <ErrorNotice failure={failure} />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button
            loading={busy}
            disabled={file === null && url.trim() === '' && from === ''}
            onClick={() => void load()}
          >
            Laden
          </Button>
        </div>
      </div>
    </Modal>
  );
}
