import { NativeSelect, Switch } from '@mantine/core';
import type { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { StockChannelName } from '#shared/stock/schema.ts';
import { HOLD_LEAST, newStockChannel, type StockChannel, type StockSettings } from '#shared/stock/settings.ts';
import { DocumentForm } from '#client/editor/document-form.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { CountField } from './count-field.tsx';
import { type Effect, shape, useEffectOf, useStockSettings } from './use-stock-settings.ts';
import classes from './stock.module.css';

type SettingsFormProps = {
  masterid: string;
  loaded: AnswerOf<typeof api.stockSettings>;
  mayEdit: boolean;
  /** Whether a query of this screen shows another catalogue. */
  leftBy: (search: URLSearchParams) => boolean;
  onSaved: () => void;
};

/** How the stock is computed, with a preview of what an edit would change. */
export function SettingsForm({ masterid, loaded, mayEdit, leftBy, onSaved }: SettingsFormProps) {
  const editor = useStockSettings(masterid, loaded, onSaved);
  const { draft, edit, dirty } = editor;
  const effect = useEffectOf(masterid, draft, dirty);
  const set = (part: Partial<StockSettings>) => edit((now) => ({ ...now, ...part }), null);
  const fields = [...new Set(['', ...(draft.field === '' ? [] : [draft.field]), ...loaded.fields])];
  return (
    <section className="k-card k-stack k-screen" aria-labelledby="einstellungen">
      <h2 id="einstellungen">Einstellungen</h2>
      <DocumentForm editor={editor} shape={shape} label="Einstellungen des Bestands" mayEdit={mayEdit} leftBy={leftBy}>
        <NativeSelect
          label="Bestandsfeld"
          description="Das Feld des Katalogs, in dem der Bestand steht"
          maw={420}
          value={draft.field}
          onChange={({ currentTarget }) => set({ field: currentTarget.value })}
          data={fields.map((name) => ({ value: name, label: name === '' ? 'keines: kein Bestand' : name }))}
        />
        <Switch
          label="Bestand enthält offene Bestellungen"
          description="An: Ihre Warenwirtschaft hat offene Bestellungen schon abgezogen. Kontor zieht dann nur ab, was nach der Datei bestellt wurde."
          checked={draft.contains_open_orders}
          onChange={({ currentTarget }) => set({ contains_open_orders: currentTarget.checked })}
        />
        <div className="k-row" style={{ alignItems: 'flex-end' }}>
          <CountField
            label="Puffer in Stück"
            value={draft.buffer_pieces}
            onValue={(value) => set({ buffer_pieces: value })}
          />
          <CountField
            label="Puffer in Prozent"
            value={draft.buffer_percent}
            max={100}
            onValue={(value) => set({ buffer_percent: value })}
          />
        </div>
        <Channels
          names={loaded.channels}
          channels={draft.channels}
          onChannels={(change) => edit((now) => ({ ...now, channels: change(now.channels) }), null)}
        />
        <h3>Anhalten und fragen</h3>
        <p className="k-muted k-small">
          Statt zu senden hält Kontor an und meldet sich, wenn die Quelle leer oder zu alt ist, oder wenn zu viele
          Artikel auf 0 fielen (ab {HOLD_LEAST} angebotenen).
        </p>
        <div className="k-row" style={{ alignItems: 'flex-end' }}>
          <CountField
            label="Höchstens auf 0 in Prozent"
            value={draft.hold_percent}
            max={100}
            onValue={(value) => set({ hold_percent: value })}
          />
          <CountField
            label="Quelle höchstens alt in Stunden"
            value={draft.source_hours}
            max={8760}
            onValue={(value) => set({ source_hours: value })}
          />
        </div>
        <EffectWords effect={effect} />
      </DocumentForm>
    </section>
  );
}

type ChannelsProps = {
  names: readonly StockChannelName[];
  channels: readonly StockChannel[];
  onChannels: (change: (channels: readonly StockChannel[]) => StockChannel[]) => void;
};

function Channels({ names, channels, onChannels }: ChannelsProps) {
  if (names.length === 0) return <p className="k-muted">Dieser Katalog hat noch keinen Kanal.</p>;
  const set = (id: string, part: Partial<StockChannel>) =>
    onChannels((now) => {
      const known = now.some((channel) => channel.id === id) ? now : [...now, newStockChannel(id)];
      return known.map((channel) => (channel.id === id ? { ...channel, ...part } : channel));
    });
  return (
    <div className={classes.channels}>
      <h3>Kanäle</h3>
      {names.map(({ id, name, account }) => {
        const channel = channels.find((one) => one.id === id) ?? newStockChannel(id);
        return (
          <fieldset key={id} className={classes.channel}>
            <legend>{name}</legend>
            <Switch
              label="aktiv"
              aria-label={`${name}: aktiv`}
              description={account ? 'Kontor sendet den Bestand' : 'über die Datei'}
              checked={channel.active}
              onChange={({ currentTarget }) => set(id, { active: currentTarget.checked })}
            />
            {channel.active && (
              <>
                <CountField
                  label="Anteil in Prozent"
                  value={channel.share}
                  max={100}
                  onValue={(share) => set(id, { share })}
                />
                <CountField
                  label="Ausverkauft ab Stück"
                  value={channel.floor}
                  onValue={(floor) => set(id, { floor })}
                />
                <CountField
                  label="Höchstens Stück"
                  value={channel.cap}
                  onValue={(cap) => set(id, { cap })}
                  onEmpty={() => set(id, { cap: null })}
                />
              </>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}

/** How many articles would change, in total and at each channel. */
function EffectWords({ effect: { effect, failure, busy } }: { effect: Effect }) {
  const articles = (count: number) => formatCount(count, 'Artikel', 'Artikel');
  return (
    <div role="status" className="k-small">
      {busy && <p>Die Wirkung wird berechnet …</p>}
      {failure !== '' && (
        <p style={{ color: 'var(--k-error)' }}>Die Wirkung konnte nicht berechnet werden: {failure}</p>
      )}
      {effect !== null && (
        <>
          <p>
            Mit diesen Einstellungen ändert sich die verfügbare Menge bei{' '}
            {formatCount(effect.changed, 'Artikel', 'Artikeln')} von {formatInteger(effect.total)};{' '}
            {formatCount(effect.to_zero, 'Artikel fällt', 'Artikel fallen')} auf 0.
          </p>
          <ul className={classes.steps}>
            {effect.channels.map(({ id, name, offered, changed, to_zero: toZero }) => (
              <li key={id}>
                {name}: {articles(offered)} im Angebot, {formatInteger(changed)} geändert,{' '}
                {formatCount(toZero, 'fällt', 'fallen')} auf 0.
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
