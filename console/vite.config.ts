import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** Compresses once at build time, at the highest level; the server only sends the bytes. */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue
      const content = readFileSync(join(dir, name))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
    }
  },
}

/** Other components build on these, so their styles come first, in this order. */
const baseStyles =
  'baseline default-css-variables global ScrollArea UnstyledButton VisuallyHidden Paper Popover CloseButton Group Loader Overlay ModalBase Input InlineInput Flex FloatingIndicator'.split(
    ' ',
  )

/**
 * Loads the styles of a Mantine component together with it, instead of those of all components at the start. A nested
 * layer has the lowest precedence, in whatever order the files are loaded.
 */
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    /@mantine[\\/]core[\\/]styles\.layer\.css$/.test(id)
      ? baseStyles.map((name) => `@import './styles/${name}.css' layer(mantine.base);`).join('\n')
      : undefined,
  transform(code, id) {
    const [, name] = /@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/.exec(id) ?? []
    if (!name || baseStyles.includes(name)) return undefined
    return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
  },
}

// Built by the root `prepare` script and served by the server. `npx vite` beside a running server is for development.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), mantineStyles, compress],
  // The client's sources, which need no build of their own.
  resolve: { conditions: ['frontdesk-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    reportCompressedSize: false,
    // Keeps light-dark() as written: the fallback for older browsers does not follow Mantine's colour scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Every page needs these, and they change only with a dependency.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
            // One file instead of a request per icon: an icon is 0.3 kB, its request headers are more.
            { name: 'icons', test: /node_modules[\\/]@tabler[\\/]/ },
            // Components that many pages share; without a group each becomes a file of a few kilobytes.
            { name: 'components', test: /node_modules[\\/](@mantine|@floating-ui)[\\/]/, minShareCount: 10 },
            { name: 'shared', test: /console[\\/]src[\\/](ui|data|records)[\\/]/, minShareCount: 10 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000' },
  },
})
