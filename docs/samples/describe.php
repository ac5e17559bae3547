<?php
readfile(getenv('DAFTAR_API_URL') . '/openapi.yaml');
