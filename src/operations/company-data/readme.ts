/** Returns the text that explains the archive of a company's data. `left`: tables that are not included. */
export const readmeOf = (
  company: string,
  madeAt: string,
  left: readonly string[],
): string => `Daten der Firma ${company}
Angelegt am ${madeAt} (UTC) mit Kontor.

Inhalt
  LIESMICH.txt           dieser Text
  tabellen/*.jsonl       die Datensätze der Firma, je Tabelle eine Datei. Jede Zeile ist ein JSON-Objekt, die Schlüssel sind
                         die Spalten. Zeichensatz UTF-8. Geldbeträge stehen in Cent, Zeitpunkte nach ISO 8601.
  tabellen/mitglieder.jsonl
                         die Benutzer der Firma mit Name, E-Mail-Adresse und Rolle
  dateien/…              die Dateien der Firma: Stände der Kataloge (Parquet), abgelehnte Zeilen, Ausgaben der Exporte
  dateien/decisions/*.parquet
                         ältere Preisentscheidungen, mit den Spalten von tabellen/price_decisions.jsonl. Welche in welcher Datei
                         stehen, sagt tabellen/decision_archives.jsonl. Die jüngste Entscheidung je Angebot kann in beidem stehen.

Hinweise
  - Die Kundendaten der Bestellungen (tabellen/order_persons.jsonl) stehen hier im Klartext, im Feld „person“. Bewahren Sie das Archiv
    entsprechend auf.
  - Nicht enthalten sind Passwörter, Schlüssel, API-Zugänge und die geheimen Abruf-Adressen der Exporte sowie Tabellen, die nur
    dem Betrieb des Programms dienen oder neu berechnet werden: ${left.join(', ')}.
  - Adressen von Importen stehen in den Aufträgen (tabellen/jobs.jsonl) verschlüsselt.
  - Jede Tabelle wurde für sich gelesen. Was währenddessen geändert wurde, kann in einer Tabelle schon stehen und in einer anderen nicht.
  - Parquet-Dateien lesen zum Beispiel DuckDB, pandas und Excel (Power Query).
`;
