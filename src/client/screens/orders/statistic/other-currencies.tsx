import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { EuroAmount, ExchangeRates } from '#shared/orders/exchange-rates.ts';
import { api } from '#shared/http/api.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { call } from '#client/call.ts';
import { failureText } from '#client/fields/failure-text.ts';
import { useLive } from '#client/use-live.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { formatDate } from '#client/ui/text/days.ts';
import { formatCount, formatDay } from '#client/ui/text/formats.ts';
import { readRate, shownRate, typedRate } from './read-rate.ts';
import { euroSum, isEuro, sum, type StatisticLine, type StatisticTable } from './statistic-table.ts';
import classes from './statistic.module.css';

type Props = { table: StatisticTable; onChange: () => void };

/** Sales in other currencies: their value in euro with the rates used, days without a rate, and fields to enter rates. */
export function OtherCurrencies({ table, onChange }: Props) {
  const lines = table.lines.filter((line) => !isEuro(line));
  return lines.length === 0 ? null : <CurrencyLines lines={lines} onChange={onChange} />;
}

function CurrencyLines({ lines, onChange }: { lines: readonly StatisticLine[]; onChange: () => void }) {
  const [version, setVersion] = useState(0);
  const question = useMemo(() => ({ version }), [version]);
  const { answer: rates } = useLive(question, (signal) => load(signal), { delay: 0 });
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const changed = () => {
    setVersion(version + 1);
    onChange();
  };
  return (
    <section className={`k-card k-stack ${classes.rates}`} aria-labelledby="waehrungen">
      <h3 id="waehrungen">Andere Währungen</h3>
      <ul>
        {lines.map((line) => (
          <li key={line.key}>
            {inEuroText(line)}
            {line.withoutRate > 0 && <strong> {missingText(line)}</strong>}
          </li>
        ))}
      </ul>
      {rates !== null && (
        <>
          <p className="k-muted k-small">{stateText(rates)}</p>
          {rates.failed_since !== null && (
            <p role="status">
              Die Wechselkurse können seit {formatDay(rates.failed_since)} nicht geholt werden: {rates.failure} Kontor
              versucht es jede Stunde wieder.
            </p>
          )}
          {currencies.map((currency) => (
            <OwnRate
              key={currency}
              currency={currency}
              rate={rates.own.find((one) => one.currency === currency)?.rate}
              onSaved={changed}
            />
          ))}
        </>
      )}
    </section>
  );
}

/** Returns null on failure: the figures work without these rates. */
const load = async (signal: AbortSignal): Promise<ExchangeRates | null> =>
  call(api.exchangeRates, { signal }).catch(() => {
    signal.throwIfAborted();
    return null;
  });

function inEuroText(line: StatisticLine): string {
  const { name, currency, cents, euro } = line;
  const known = euro.filter((one) => one !== null);
  const original = `${name}: ${moneyText(sum(cents), currency)}`;
  return known.length === 0
    ? `${original}.`
    : `${original}, in der Summe ${moneyText(euroSum(line))} ${rateText(known)}.`;
}

/** Says which rates were used: of one day, or from the first to the last. */
function rateText(known: readonly EuroAmount[]): string {
  const from = (by: EuroAmount['by']) =>
    [...new Set(known.filter((one) => one.by === by).map(({ day }) => day))].toSorted();
  const days = (all: readonly string[]) =>
    all.length === 1
      ? `vom ${formatDate(all[0] ?? '')}`
      : `vom ${formatDate(all[0] ?? '')} bis ${formatDate(all.at(-1) ?? '')}`;
  const [reference, own] = [from('reference'), from('own')];
  return [
    ...(reference.length === 0
      ? []
      : [`${reference.length === 1 ? 'zum Kurs' : 'zu den Kursen'} ${days(reference)} (EZB)`]),
    ...(own.length === 0 ? [] : [`zum eigenen Kurs ${days(own)}`]),
  ].join(' und ');
}

const missingText = ({ withoutRate, currency }: StatisticLine): string =>
  `Ohne Kurs und nicht in der Summe: ${formatCount(withoutRate, 'Tag', 'Tage')} in ${currency}.`;

function stateText({ fetching, newest }: ExchangeRates): string {
  const known =
    newest === null
      ? 'Referenzkurse der EZB sind noch keine da.'
      : `Neuester Referenzkurs der EZB: ${formatDate(newest)}.`;
  const off = 'Diese Installation holt keine Referenzkurse; der Betreiber kann es einschalten (KONTOR_EXCHANGE_RATES).';
  return `${fetching || newest !== null ? known : ''} ${fetching ? '' : off} Wo keiner gilt, zählt Ihr eigener Kurs.`.trim();
}

type RateProps = { currency: string; rate: number | undefined; onSaved: () => void };

function OwnRate({ currency, rate, onSaved }: RateProps) {
  const [text, setText] = useState(typedRate(rate));
  const [known, setKnown] = useState(rate);
  const [failure, setFailure] = useState<string | null>(null);
  if (rate !== known) {
    setKnown(rate);
    setText(shownRate({ text, known, rate }));
  }
  const { busy, start } = useOnce(async () => {
    const next = text.trim() === '' ? null : readRate(text);
    if (next === undefined) {
      setFailure('Bitte eine Zahl über 0 mit höchstens sechs Nachkommastellen, zum Beispiel 4,2435.');
      return;
    }
    setFailure(null);
    try {
      await call(api.setExchangeRate, { body: { currency, rate: next } });
      showSaved('Gespeichert');
      onSaved();
    } catch (error) {
      setFailure(failureText(error));
    }
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <TextInput
        label={`Eigener Kurs: ${currency} für einen Euro`}
        inputMode="decimal"
        value={text}
        error={failure}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy}>
        Kurs speichern
      </Button>
    </form>
  );
}
