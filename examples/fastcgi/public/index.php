<?php
header('Content-Type: text/plain');
echo 'Hello from PHP, ', $_SERVER['REQUEST_URI'], "\n";
