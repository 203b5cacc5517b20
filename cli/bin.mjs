#!/usr/bin/env node
import '../dist/cli/portico.js'
