import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** Pressed once, when it is built, as hard as it goes: the server only hands the bytes out. */
const press: Plugin = {
  name: 'press',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|html|svg)$/.test(name)) continue
      const content = readFileSync(join(dir, name))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
    }
  },
}

// Built by the root `prepare` script and served by the server. `npx vite` beside a running server is for working on it.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), press],
  // The client's sources, which need no build of their own.
  resolve: { conditions: ['frontdesk-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    reportCompressedSize: false,
    // light-dark() as it is written: what older browsers are given in its place does not follow Mantine's scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // What every page needs is one file that browsers keep; what one page needs comes with that page.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules.(react|react-dom|scheduler|react-router)\b/ }],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000' },
  },
})
