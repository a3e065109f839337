import type pg from 'pg'

/** PostgreSQL chooses the encoding by the locale that it was installed with; without one it is SQL_ASCII. */
export async function encodingFault(
  client: Pick<pg.Client, 'query' | 'database'>,
): Promise<{ wrong: string; fix: string } | undefined> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return undefined
  return {
    wrong: `The database "${client.database}" has the encoding ${encoding} instead of UTF8`,
    fix: `Create it anew: create database … owner … encoding 'UTF8' template template0; (add locale 'C' if the server's locale has another encoding)`,
  }
}
