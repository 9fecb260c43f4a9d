import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Export, feedTypes } from '#shared/exports/schema.ts';
import { type FoundStockFields, stockComplaint } from '#shared/exports/stock-fields.ts';
import { useMay } from '#client/shell/session.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';
import classes from './export.module.css';
import { RenewAddress } from './renew-address.tsx';
import { StockFeed } from './stock-feed.tsx';

type FeedAddressProps = { origin: string; shown: Export; stock: FoundStockFields; onSaved: () => void };

/** HDR-03: the feed type for which some exports lack the fields. */
const STOCK_AND_PRICE = 3;

/** The address from which the channel fetches the file. HDR-03: choosing a feed type fills in its address. */
export function FeedAddress({ origin, shown, stock, onSaved }: FeedAddressProps) {
  const { pullPath, feeds, file } = shown;
  const [type, setType] = useState(feeds[0]?.type ?? 1);
  const feed = feeds.find((entry) => entry.type === type);
  const mayEdit = useMay('edit');
  const pullAddress = origin + pullPath;
  const feedAddress = feed === undefined ? '' : origin + feed.path;
  const isServed = type !== STOCK_AND_PRICE || stockComplaint(stock.found) === undefined;
  const labels = new Map(Object.entries(feedTypes).map(([number, { label }]) => [Number(number), label]));
  return (
    <section className="k-card k-stack" aria-labelledby="abruf">
      <div>
        <h2 id="abruf">Abruf</h2>
        <p className="k-muted k-small">
          Wer diese geheimen Adressen kennt, kann die Dateien lesen. Geben Sie sie nur Ihrem Marktplatz.
          {!mayEdit && ' Ihre Rolle sieht sie nicht: Das kann nur, wer den Export ändern darf.'}
          {file === null && ' Noch liegt dort nichts: Starten Sie zuerst den Export.'}
        </p>
      </div>
      {mayEdit && <Address label="Adresse der Datei" value={pullAddress} />}
      {mayEdit && (
        <div className={classes.feed}>
          <NativeSelect
            label="Feed-Typ"
            value={String(type)}
            onChange={({ currentTarget }) => setType(Number(currentTarget.value))}
            data={feeds.map((entry) => ({ value: String(entry.type), label: `${entry.type} ${entry.name}` }))}
            description={labels.get(type)}
            inputWrapperOrder={['label', 'input', 'description']}
          />
          {isServed && <Address label="Feed-URL" value={feedAddress} />}
        </div>
      )}
      {type === STOCK_AND_PRICE && <StockFeed key={shown.revision} shown={shown} stock={stock} onSaved={onSaved} />}
      {mayEdit && <RenewAddress id={shown.id} onRenewed={onSaved} />}
    </section>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes.address}>
      <TextInput label={label} value={value} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
      <CopyButton value={value} label={`${label} kopieren`} />
    </div>
  );
}
